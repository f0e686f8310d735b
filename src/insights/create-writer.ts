import type { Context } from '../platform/context.ts';
import { rulesWriter } from './rules/rules-writer.ts';
import { chatClient } from './vlm/configured-client.ts';
import { modelWriter } from './vlm/model-writer.ts';
import type { InsightWriter } from './writer.ts';

/** The writer of the configuration. */
export function createWriter({ config, db }: Pick<Context, 'config' | 'db'>): InsightWriter {
  const client = config.vlmProvider === 'openai' ? chatClient(config) : null;
  return client ? modelWriter(client, config) : rulesWriter(db);
}
