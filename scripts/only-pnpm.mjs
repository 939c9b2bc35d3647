// Runs before a package is published. npm would publish ranges of the workspace as they stand, and no licence.
if (!process.env.npm_config_user_agent?.startsWith("pnpm/")) {
  process.stderr.write("Not published: npm keeps `workspace:` ranges and leaves LICENSE out. Use `npm run release`.\n");
  process.exit(1);
}
