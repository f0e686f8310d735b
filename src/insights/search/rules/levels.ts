import type { Severity } from '../../../platform/prisma-client/client.ts';
import { RiskLevel } from '../../../platform/prisma-client/enums.ts';
import type { Sense } from '../lexicon.ts';
import { Pattern, type Reader } from './pattern.ts';
import { type Sentence, span } from './sentence.ts';

/** From the lowest to the highest. */
const LEVELS = Object.values(RiskLevel);
const LIST = new Pattern('compare? level');
const MORE = new Pattern('by:and|or|to level');

/** "At least medium", "high or critical", "medium or higher", "low to high". */
function listed(sentence: Sentence, at: number): Sense<RiskLevel[]> | undefined {
  const first = LIST.at(sentence, at);
  if (!first) return undefined;
  const named: RiskLevel[] = [first.values.level];
  let { end } = first;
  let isRange = false;
  for (let next = MORE.at(sentence, end); next; next = MORE.at(sentence, end)) {
    named.push(next.values.level);
    isRange ||= !sentence.senseAt('and', end) && !sentence.senseAt('or', end);
    end = next.end;
  }
  const orHigher = sentence.free<string>('orHigher', end);
  const operator = isRange ? 'range' : (first.values.compare?.split(' ')[0] ?? orHigher?.value);
  const levels = spread(named, operator);
  return levels.length > 0 ? { value: levels, length: end + (orHigher?.length ?? 0) - at } : undefined;
}

function spread(named: readonly RiskLevel[], operator?: string): RiskLevel[] {
  const places = named.map((level) => LEVELS.indexOf(level));
  const [low, high] = [Math.min(...places), Math.max(...places)];
  if (operator === 'range') return LEVELS.slice(low, high + 1);
  if (operator === 'GTE') return LEVELS.slice(low);
  if (operator === 'GT') return LEVELS.slice(low + 1);
  if (operator === 'LTE') return LEVELS.slice(0, high + 1);
  if (operator === 'LT') return LEVELS.slice(0, high);
  return LEVELS.filter((level) => named.includes(level));
}

const little: Reader = (sentence, at) =>
  sentence.isFiller(at) || sentence.tokens[at]?.kind === 'mark' ? { value: true, length: 1 } : undefined;

/** "High or critical risk", "risk level is high", "Schweregrad hoch". */
const PATTERNS = [
  'listed stop? risk stage? orHigher?',
  'listed stop? severityWord',
  ...['stage stop? ', ''].flatMap((stage) =>
    ['risk', 'severityWord'].map(
      (word) => `${stage}${word} little|stage? little|stage? little|stage? listed`,
    ),
  ),
].map((source) => new Pattern(source, { listed, little }));

/** Claims risk ("medium or higher risk", "dangerous") and severity ("critical", "warnings"). */
export function readLevels(sentence: Sentence): void {
  for (const pattern of PATTERNS) {
    for (let at = 0; at < sentence.tokens.length; at += 1) {
      const match = sentence.isFree(at) && pattern.at(sentence, at);
      if (!match) continue;
      const {
        listed: said,
        risk,
        orHigher,
      } = match.values as { listed: RiskLevel[]; risk?: true; orHigher?: string };
      const levels = orHigher ? spread(said, orHigher) : said;
      const isCritical = levels.every((level) => level === 'high' || level === 'critical');
      sentence.claim(
        span(at, match.end - at),
        risk ? { kind: 'risk', levels } : { kind: 'severity', severity: isCritical ? 'critical' : 'warning' },
      );
    }
  }
  for (let at = 0; at < sentence.tokens.length; at += 1) {
    const grave = sentence.free('grave', at);
    if (grave) sentence.claim(span(at, grave.length), { kind: 'risk', levels: ['high', 'critical'] });
    const severity = sentence.free<Severity>('severity', at);
    if (severity) sentence.claim(span(at, severity.length), { kind: 'severity', severity: severity.value });
  }
}
