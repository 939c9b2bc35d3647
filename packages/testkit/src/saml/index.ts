export { Browser, type Shown } from "./browser.js";
export { type ServiceProvider, startServiceProvider } from "./service-provider.js";
