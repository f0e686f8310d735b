import type { Context } from '../platform/context.ts';
import { rulesWriter } from './rules/rules-writer.ts';
import { createChatClient } from './vlm/create-chat-client.ts';
import { modelWriter } from './vlm/model-writer.ts';
import type { InsightWriter } from './writer.ts';

/** The writer of the configuration. */
export function createWriter({ config, db }: Pick<Context, 'config' | 'db'>): InsightWriter {
  const client = createChatClient(config);
  return client ? modelWriter(client, config) : rulesWriter(db);
}
