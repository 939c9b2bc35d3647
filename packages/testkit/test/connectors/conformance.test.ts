import { connectorConformance } from "@reeve/testkit/connectors";
import { teamsConnector } from "./teams/connector.js";
import { openTeams } from "./teams/target.js";

connectorConformance(teamsConnector(), openTeams);
