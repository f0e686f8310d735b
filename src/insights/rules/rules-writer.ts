import type { Db } from '../../platform/database/db.ts';
import { bounded } from '../vlm/answer.ts';
import type { InsightWriter } from '../writer.ts';
import { describeByRules, hourlyNameOf } from './describe-by-rules.ts';
import { usualAtThisHour } from './usual.store.ts';

/** The built-in writer. It needs no model, network or tokens, and the same alert gives the same words. */
export function rulesWriter(db: Db): InsightWriter {
  return {
    name: 'rules',
    model: null,
    needsImages: false,
    reservedTokens: 0,
    async write(material) {
      const { sceneId, triggeredAt: at, metricPath, timezone } = material;
      const name = hourlyNameOf(metricPath);
      const moment = { sceneId, at, timezone: timezone ?? 'UTC' };
      const usual = name === null ? null : await usualAtThisHour(db, { ...moment, name });
      const result = bounded(describeByRules(material, usual));
      return { result, inputTokens: 0, outputTokens: 0 };
    },
  };
}
