/** Servers that are known by name. Data only: one row a provider. */

/** What a server cannot take, or wants said differently. Every switch is off unless named. */
export interface ProviderQuirks {
  /** Neighbouring user messages are refused: they are joined. */
  joinUsers?: boolean;
  /** A user message right behind tool results is refused: a short assistant message goes between. */
  bridgeToolToUser?: boolean;
  /** False where `stream_options` is refused. */
  includeUsage?: boolean;
  /** False where a request with tools is refused: none are offered. */
  tools?: boolean;
  /** Sends `parallel_tool_calls` with this value. */
  parallelToolCalls?: boolean;
  /** Sends a limit of output tokens under this name. */
  maxTokens?: { field: 'max_tokens' | 'max_completion_tokens'; value: number };
  /** Images in tool results: shown in a user message behind the batch (default), or only told of. */
  toolImages?: 'message' | 'note';
  /** False where the model takes no images: it is told that there was one. */
  images?: boolean;
  /** The content of an assistant message that only calls tools: null (default), an empty text, or no such field. */
  emptyContent?: 'null' | 'empty' | 'absent';
  /** The field in which thinking goes back, with every message that calls tools; default: it is kept out. */
  thinking?: 'omit' | 'reasoning_content' | 'reasoning';
  /** The role of the system prompt (default: system); as `user` it begins the first message of the user. */
  system?: 'system' | 'developer' | 'user';
  /** Ids of tool calls: any (default), at most 40 characters, or just nine letters and digits. */
  callIds?: 'any' | 'max40' | 'nine';
  /** Fields of a tool call that go back with it as they came, beside its id, name and arguments. Default: none. */
  callFields?: readonly string[];
  /** Calls are refused without a signature of the thought behind them: for those of another model it asks to do without. */
  skipThoughtSignature?: boolean;
}

/** A provider that needs nothing in the config: its name is enough. */
export interface ReadyProvider {
  name: string;
  /** As it is shown. */
  title: string;
  baseUrl: string;
  /** The variable of the environment that holds its key. It goes to this provider's own base URL and nowhere else. */
  keyVariable: string;
  defaultModel?: string;
  /** Tokens that the default model can read. */
  window?: number;
  /** On this machine; needs no key. */
  local?: boolean;
  quirks: ProviderQuirks;
}

export const OPENAI = {
  name: 'openai',
  title: 'OpenAI',
  baseUrl: 'https://api.openai.com/v1',
  keyVariable: 'OPENAI_API_KEY',
  defaultModel: 'gpt-5.4-mini',
  quirks: { callIds: 'max40' },
} as const satisfies ReadyProvider;

export const PROVIDERS: readonly ReadyProvider[] = [
  OPENAI,
  {
    name: 'openrouter',
    title: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariable: 'OPENROUTER_API_KEY',
    defaultModel: 'openrouter/auto',
    quirks: {},
  },
  {
    name: 'groq',
    title: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    keyVariable: 'GROQ_API_KEY',
    defaultModel: 'openai/gpt-oss-120b',
    window: 131_072,
    quirks: {},
  },
  {
    name: 'together',
    title: 'Together',
    baseUrl: 'https://api.together.xyz/v1',
    keyVariable: 'TOGETHER_API_KEY',
    defaultModel: 'openai/gpt-oss-120b',
    window: 131_072,
    quirks: {},
  },
  {
    name: 'deepseek',
    title: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
    keyVariable: 'DEEPSEEK_API_KEY',
    defaultModel: 'deepseek-flash',
    window: 1_000_000,
    quirks: { thinking: 'reasoning_content' },
  },
  {
    name: 'mistral',
    title: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariable: 'MISTRAL_API_KEY',
    defaultModel: 'mistral-small-latest',
    quirks: { bridgeToolToUser: true, includeUsage: false, callIds: 'nine' },
  },
  {
    name: 'gemini',
    title: 'Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyVariable: 'GEMINI_API_KEY',
    defaultModel: 'gemini-flash-latest',
    window: 1_048_576,
    quirks: { callFields: ['extra_content'], skipThoughtSignature: true },
  },
  {
    name: 'ollama',
    title: 'Ollama',
    baseUrl: 'http://127.0.0.1:11434/v1',
    keyVariable: 'OLLAMA_API_KEY',
    local: true,
    quirks: {},
  },
  {
    name: 'lmstudio',
    title: 'LM Studio',
    baseUrl: 'http://127.0.0.1:1234/v1',
    keyVariable: 'LM_API_TOKEN',
    local: true,
    quirks: { emptyContent: 'empty' },
  },
  {
    name: 'llamacpp',
    title: 'llama.cpp',
    baseUrl: 'http://127.0.0.1:8080/v1',
    keyVariable: 'LLAMA_API_KEY',
    local: true,
    quirks: { emptyContent: 'empty' },
  },
  {
    name: 'vllm',
    title: 'vLLM',
    baseUrl: 'http://127.0.0.1:8000/v1',
    keyVariable: 'VLLM_API_KEY',
    local: true,
    quirks: {},
  },
];

export const providerNamed = (name: string): ReadyProvider | undefined =>
  PROVIDERS.find((provider) => provider.name === name);

/** The providers whose own key is set, and which are so but a name away. */
export const keyedProviders = (env: Readonly<Record<string, string | undefined>>): ReadyProvider[] =>
  PROVIDERS.filter((provider) => provider !== OPENAI && !provider.local && env[provider.keyVariable]?.trim());

/** What is known of the server at an address, by whatever name it is configured. */
export function quirksAt(baseUrl: URL): ProviderQuirks {
  return PROVIDERS.find((entry) => !entry.local && new URL(entry.baseUrl).host === baseUrl.host)?.quirks ?? {};
}
