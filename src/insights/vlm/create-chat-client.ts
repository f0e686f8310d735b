import type { Config } from '../../config.ts';
import { ChatClient } from './chat-client.ts';

/** @returns null where no model is configured */
export function createChatClient(config: Config): ChatClient | null {
  const { vlmProvider, vlmUrl: url, vlmModel: model, vlmApiKey: apiKey } = config;
  if (vlmProvider !== 'openai' || !url || !model) return null;
  return new ChatClient({ url, model, apiKey });
}
