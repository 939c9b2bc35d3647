/** Where a package comes from. */
export type Ecosystem = "cargo" | "go" | "maven" | "npm" | "nuget" | "pypi" | "rubygems";

/** A library with which programs use models or agents. */
export interface Sdk {
  readonly name: string;
  /** Whose models it calls, or whose framework it is. */
  readonly vendor: string;
  /** Names of packages. One that ends in `*` stands for all with that beginning. Names of Maven are `group:artifact`. */
  readonly packages: Partial<Readonly<Record<Ecosystem, readonly string[]>>>;
}

/** The libraries that are looked for. A new one is a new row. */
export const SDKS: readonly Sdk[] = [
  {
    name: "OpenAI SDK",
    vendor: "OpenAI",
    packages: {
      npm: ["openai", "@ai-sdk/openai"],
      pypi: ["openai"],
      go: ["github.com/openai/openai-go", "github.com/sashabaranov/go-openai"],
      maven: ["com.openai:*", "com.theokanning.openai-gpt3-java:*"],
      rubygems: ["openai", "ruby-openai"],
      cargo: ["async-openai"],
      nuget: ["OpenAI"],
    },
  },
  {
    name: "OpenAI Agents SDK",
    vendor: "OpenAI",
    packages: { npm: ["@openai/agents*"], pypi: ["openai-agents"] },
  },
  {
    name: "Anthropic SDK",
    vendor: "Anthropic",
    packages: {
      npm: ["@anthropic-ai/sdk", "@anthropic-ai/bedrock-sdk", "@anthropic-ai/vertex-sdk", "@ai-sdk/anthropic"],
      pypi: ["anthropic"],
      go: ["github.com/anthropics/anthropic-sdk-go"],
      maven: ["com.anthropic:*"],
      rubygems: ["anthropic", "ruby-anthropic"],
      nuget: ["Anthropic", "Anthropic.SDK"],
    },
  },
  {
    name: "Claude Agent SDK",
    vendor: "Anthropic",
    packages: {
      npm: ["@anthropic-ai/claude-agent-sdk", "@anthropic-ai/claude-code"],
      pypi: ["claude-agent-sdk", "claude-code-sdk"],
    },
  },
  {
    name: "Google Gen AI SDK",
    vendor: "Google",
    packages: {
      npm: ["@google/genai", "@google/generative-ai", "@google-cloud/vertexai", "@ai-sdk/google*"],
      pypi: ["google-genai", "google-generativeai", "google-cloud-aiplatform"],
      go: ["google.golang.org/genai", "github.com/google/generative-ai-go", "cloud.google.com/go/vertexai"],
      maven: ["com.google.genai:*", "com.google.cloud:google-cloud-vertexai"],
      nuget: ["Google.GenAI", "Google.Cloud.AIPlatform.V1"],
    },
  },
  { name: "Agent Development Kit", vendor: "Google", packages: { npm: ["@google/adk"], pypi: ["google-adk"] } },
  {
    name: "Amazon Bedrock SDK",
    vendor: "Amazon Web Services",
    packages: {
      npm: ["@aws-sdk/client-bedrock*", "@ai-sdk/amazon-bedrock"],
      pypi: ["langchain-aws", "bedrock-agentcore", "strands-agents"],
      go: ["github.com/aws/aws-sdk-go-v2/service/bedrock*"],
      maven: ["software.amazon.awssdk:bedrock*"],
      rubygems: ["aws-sdk-bedrock*"],
      cargo: ["aws-sdk-bedrock*"],
      nuget: ["AWSSDK.Bedrock*"],
    },
  },
  {
    name: "Azure AI SDK",
    vendor: "Microsoft",
    packages: {
      npm: ["@azure/openai", "@azure-rest/ai-inference", "@azure/ai-*", "@ai-sdk/azure"],
      pypi: ["azure-ai-*"],
      go: ["github.com/Azure/azure-sdk-for-go/sdk/ai/*"],
      maven: ["com.azure:azure-ai-*"],
      nuget: ["Azure.AI.*"],
    },
  },
  {
    name: "Semantic Kernel",
    vendor: "Microsoft",
    packages: {
      pypi: ["semantic-kernel"],
      maven: ["com.microsoft.semantic-kernel:*"],
      nuget: ["Microsoft.SemanticKernel*"],
    },
  },
  {
    name: "Microsoft Agent Framework",
    vendor: "Microsoft",
    packages: { pypi: ["agent-framework*", "autogen-*", "pyautogen"], nuget: ["Microsoft.Agents.AI*"] },
  },
  {
    name: "Microsoft.Extensions.AI",
    vendor: "Microsoft",
    packages: { nuget: ["Microsoft.Extensions.AI*"] },
  },
  {
    name: "Mistral SDK",
    vendor: "Mistral AI",
    packages: { npm: ["@mistralai/mistralai", "@ai-sdk/mistral"], pypi: ["mistralai"] },
  },
  {
    name: "Cohere SDK",
    vendor: "Cohere",
    packages: {
      npm: ["cohere-ai", "@ai-sdk/cohere"],
      pypi: ["cohere"],
      go: ["github.com/cohere-ai/cohere-go"],
      maven: ["com.cohere:*"],
    },
  },
  {
    name: "Groq SDK",
    vendor: "Groq",
    packages: { npm: ["groq-sdk", "@ai-sdk/groq"], pypi: ["groq"] },
  },
  { name: "xAI SDK", vendor: "xAI", packages: { npm: ["@ai-sdk/xai"], pypi: ["xai-sdk"] } },
  { name: "Together SDK", vendor: "Together AI", packages: { npm: ["together-ai"], pypi: ["together"] } },
  {
    name: "Replicate SDK",
    vendor: "Replicate",
    packages: { npm: ["replicate"], pypi: ["replicate"], go: ["github.com/replicate/replicate-go"] },
  },
  {
    name: "Hugging Face libraries",
    vendor: "Hugging Face",
    packages: {
      npm: ["@huggingface/inference", "@huggingface/transformers"],
      pypi: ["transformers", "huggingface-hub", "smolagents", "diffusers"],
    },
  },
  {
    name: "Ollama SDK",
    vendor: "Ollama",
    packages: { npm: ["ollama"], pypi: ["ollama"], go: ["github.com/ollama/ollama"], cargo: ["ollama-rs"] },
  },
  { name: "vLLM", vendor: "vLLM", packages: { pypi: ["vllm"] } },
  { name: "LiteLLM", vendor: "BerriAI", packages: { pypi: ["litellm"] } },
  {
    name: "AI SDK",
    vendor: "Vercel",
    packages: { npm: ["ai", "@ai-sdk/gateway"] },
  },
  {
    name: "LangChain",
    vendor: "LangChain",
    packages: {
      npm: ["langchain", "@langchain/*"],
      pypi: ["langchain", "langchain-*", "langgraph", "langgraph-*"],
      go: ["github.com/tmc/langchaingo"],
      rubygems: ["langchainrb*"],
    },
  },
  { name: "LangChain4j", vendor: "LangChain4j", packages: { maven: ["dev.langchain4j:*"] } },
  {
    name: "Spring AI",
    vendor: "Broadcom",
    packages: { maven: ["org.springframework.ai:*"] },
  },
  {
    name: "LlamaIndex",
    vendor: "LlamaIndex",
    packages: { npm: ["llamaindex", "@llamaindex/*"], pypi: ["llama-index", "llama-index-*"] },
  },
  { name: "CrewAI", vendor: "CrewAI", packages: { pypi: ["crewai", "crewai-*"] } },
  { name: "Pydantic AI", vendor: "Pydantic", packages: { pypi: ["pydantic-ai", "pydantic-ai-*"] } },
  { name: "Haystack", vendor: "deepset", packages: { pypi: ["haystack-ai", "farm-haystack"] } },
  { name: "Mastra", vendor: "Mastra", packages: { npm: ["@mastra/*", "mastra"] } },
  { name: "Rig", vendor: "Rig", packages: { cargo: ["rig-core"] } },
  {
    name: "MCP SDK",
    vendor: "Model Context Protocol",
    packages: {
      npm: ["@modelcontextprotocol/sdk", "@modelcontextprotocol/client", "@modelcontextprotocol/server", "fastmcp"],
      pypi: ["mcp", "fastmcp"],
      go: ["github.com/modelcontextprotocol/go-sdk", "github.com/mark3labs/mcp-go"],
      maven: ["io.modelcontextprotocol.sdk:*"],
      rubygems: ["mcp"],
      cargo: ["rmcp"],
      nuget: ["ModelContextProtocol*"],
    },
  },
];
