import { codehost } from "@reeve/connectors/codehost";
import { fossil } from "@reeve/connectors/fossil";
import { ldap } from "@reeve/connectors/ldap";
import { mcpServer } from "@reeve/connectors/mcp";
import { mcpRegistry } from "@reeve/connectors/mcp-registry";
import { okta } from "@reeve/connectors/okta";
import { openAiCompatible } from "@reeve/connectors/openai-compatible";
import { postgres } from "@reeve/connectors/postgres";
import { scim } from "@reeve/connectors/scim";
import type { McpConnector } from "@reeve/core";
import type { Connector } from "@reeve/core/connectors";

/** All connectors of Reeve. Each loads its client library when it is used first. */
export const allConnectors = (mcp: McpConnector): readonly Connector[] => [
  codehost(),
  fossil(),
  ldap(),
  mcpServer(mcp),
  mcpRegistry(),
  okta(),
  openAiCompatible(),
  postgres(),
  scim(),
];
