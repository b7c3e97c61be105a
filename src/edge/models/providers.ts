/** Servers that are known by name. Data only: one row a provider. */

/** What a server cannot take, or wants said differently. Every switch is off unless named. */
export interface ProviderQuirks {
  /** Neighbouring user messages are refused: they are joined. */
  joinUsers?: boolean;
  /** A user message right behind tool results is refused: a short assistant message goes between. */
  bridgeToolToUser?: boolean;
  /** False where `stream_options` is refused. */
  includeUsage?: boolean;
  /** Sends `parallel_tool_calls` with this value. */
  parallelToolCalls?: boolean;
  /** Sends a limit of output tokens under this name. */
  maxTokens?: { field: 'max_tokens' | 'max_completion_tokens'; value: number };
  /** Images in tool results: shown in a user message behind the batch (default), or only told of. */
  toolImages?: 'message' | 'note';
}

export interface ProviderEntry {
  name: string;
  /** As it is shown. */
  title: string;
  baseUrl: string;
  /** The environment variable in which its key is looked for. */
  keyVariable?: string;
  defaultModel?: string;
  /** On this machine; needs no key. */
  local?: boolean;
  quirks: ProviderQuirks;
}

export const PROVIDERS: readonly ProviderEntry[] = [
  {
    name: 'openai',
    title: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    defaultModel: 'gpt-4.1-mini',
    quirks: {},
  },
  {
    name: 'openrouter',
    title: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariable: 'OPENROUTER_API_KEY',
    quirks: {},
  },
  { name: 'groq', title: 'Groq', baseUrl: 'https://api.groq.com/openai/v1', keyVariable: 'GROQ_API_KEY', quirks: {} },
  {
    name: 'together',
    title: 'Together',
    baseUrl: 'https://api.together.xyz/v1',
    keyVariable: 'TOGETHER_API_KEY',
    quirks: {},
  },
  {
    name: 'deepseek',
    title: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
    keyVariable: 'DEEPSEEK_API_KEY',
    defaultModel: 'deepseek-chat',
    quirks: {},
  },
  {
    name: 'mistral',
    title: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariable: 'MISTRAL_API_KEY',
    defaultModel: 'mistral-small-latest',
    quirks: { bridgeToolToUser: true, includeUsage: false },
  },
  {
    name: 'gemini',
    title: 'Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyVariable: 'GEMINI_API_KEY',
    quirks: {},
  },
  { name: 'ollama', title: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', local: true, quirks: {} },
  { name: 'lmstudio', title: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1', local: true, quirks: {} },
  { name: 'llamacpp', title: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1', local: true, quirks: {} },
  { name: 'vllm', title: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1', local: true, quirks: {} },
];

export const providerNamed = (name: string): ProviderEntry | undefined =>
  PROVIDERS.find((entry) => entry.name === name);

/** What is known of the server at an address, by whatever name it is configured. */
export function quirksAt(baseUrl: URL): ProviderQuirks {
  return PROVIDERS.find((entry) => !entry.local && new URL(entry.baseUrl).host === baseUrl.host)?.quirks ?? {};
}
