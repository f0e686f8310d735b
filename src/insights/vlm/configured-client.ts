import type { Config } from '../../config.ts';
import { ChatClient } from './chat-client.ts';

const clients = new WeakMap<Config, ChatClient>();

/** The client of this process, which remembers what its server knows. @returns null where no server is configured */
export function chatClient(config: Config): ChatClient | null {
  const { vlmUrl: url, vlmModel: model, vlmApiKey: apiKey } = config;
  if (!url || !model) return null;
  const client = clients.get(config) ?? new ChatClient({ url, model, apiKey });
  clients.set(config, client);
  return client;
}
