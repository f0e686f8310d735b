import type { Context } from '../platform/context.ts';
import { rulesWriter } from './rules/rules-writer.ts';
import { modelWriter } from './vlm/model-writer.ts';
import type { InsightWriter } from './writer.ts';

/** The writer that the configuration names. */
export function createWriter({ config, db, chat }: Pick<Context, 'config' | 'db' | 'chat'>): InsightWriter {
  return config.vlmProvider === 'openai' && chat ? modelWriter(chat, config) : rulesWriter(db);
}
