import "reflect-metadata";
import {
  type ArgumentsHost,
  Catch,
  Controller,
  type DynamicModule,
  type ExceptionFilter,
  Get,
  Inject,
  Module,
  NotFoundException,
  Post,
  Req,
  Res,
} from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import type { NestExpressApplication } from "@nestjs/platform-express";
import { ServeStaticModule } from "@nestjs/serve-static";
import { DocumentBuilder, SwaggerModule } from "@nestjs/swagger";
import { reeve } from "@reeve/adapter-express";
import compression from "compression";
import type { Request, Response } from "express";
import session from "express-session";
import helmet from "helmet";
import { BODY_LIMIT, type HostSettings, ORIGIN, PUBLIC, type RunningHost, SESSION_SECRET } from "../host.js";
import { type Ask, NOT_FOUND, type Route, refusalOf, type Shop } from "../shop.js";

const SHOP = Symbol("shop");

@Controller("api/v1/orders")
class OrdersController {
  @Inject(SHOP) private readonly shop!: Shop;

  @Get() list(@Req() request: Request, @Res() response: Response) {
    return reply(this.shop.listOrders, request, response);
  }
  @Post() make(@Req() request: Request, @Res() response: Response) {
    return reply(this.shop.makeOrder, request, response);
  }
  @Get(":id") show(@Req() request: Request, @Res() response: Response) {
    return reply(this.shop.showOrder, request, response);
  }
  @Get(":id/events") events(@Req() request: Request, @Res() response: Response) {
    return reply(this.shop.listEvents, request, response);
  }
}

@Controller("api/v1/users")
class UsersController {
  @Inject(SHOP) private readonly shop!: Shop;

  @Get() list(@Req() request: Request, @Res() response: Response) {
    return reply(this.shop.listUsers, request, response);
  }
  @Get(":id") show(@Req() request: Request, @Res() response: Response) {
    return reply(this.shop.showUser, request, response);
  }
}

@Controller("api")
class SessionController {
  @Inject(SHOP) private readonly shop!: Shop;

  @Post("session") signIn(@Req() request: Request, @Res() response: Response) {
    return reply(this.shop.signIn, request, response);
  }
  @Get("session") show(@Req() request: Request, @Res() response: Response) {
    return reply(this.shop.showSession, request, response);
  }
  @Get("failure") fail(@Req() request: Request, @Res() response: Response) {
    return reply(this.shop.fail, request, response);
  }
}

@Catch()
class ErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const { status, body } = error instanceof NotFoundException ? NOT_FOUND : refusalOf(error);
    host.switchToHttp().getResponse<Response>().status(status).json(body);
  }
}

@Module({ imports: [ServeStaticModule.forRoot({ rootPath: PUBLIC, exclude: ["/api/{*rest}"] })] })
class ShopModule {
  static of({ shop, withUsers }: HostSettings): DynamicModule {
    const controllers = [OrdersController, SessionController, ...(withUsers ? [UsersController] : [])];
    return { module: ShopModule, controllers, providers: [{ provide: SHOP, useValue: shop }] };
  }
}

/** The shop on NestJS, on its Express platform. */
export async function startNest(settings: HostSettings): Promise<RunningHost> {
  const { governance } = settings;
  const options = { logger: false, rawBody: true } as const;
  const app = await NestFactory.create<NestExpressApplication>(ShopModule.of(settings), options);
  const mount = () => governance && app.use(governance.prefix || "/", reeve(governance.controlPlane));
  if (governance?.when === "first") mount();
  app.use(helmet());
  app.enableCors({ origin: ORIGIN, credentials: true });
  app.use(compression());
  app.use(session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false }));
  app.useBodyParser("json", { limit: BODY_LIMIT });
  app.useBodyParser("urlencoded", { extended: false });
  if (governance?.when === "last") mount();
  app.useGlobalFilters(new ErrorFilter());
  const document = SwaggerModule.createDocument(app, new DocumentBuilder().setTitle("The shop").build());
  SwaggerModule.setup("api/docs", app, document, { ui: false, jsonDocumentUrl: "api/openapi.json" });
  await app.listen(0, "127.0.0.1");
  return { url: await app.getUrl(), close: () => app.close() };
}

async function reply(route: Route, request: Request, response: Response): Promise<void> {
  const { status, body } = await route.answer(request as unknown as Ask);
  response.status(status).json(body);
}
