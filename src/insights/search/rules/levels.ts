import type { Severity } from '../../../platform/prisma-client/client.ts';
import { RiskLevel } from '../../../platform/prisma-client/enums.ts';
import { pattern, type Reader, when } from './pattern.ts';
import { type Sentence, span } from './sentence.ts';

/** From the lowest to the highest. */
const LEVELS = Object.values(RiskLevel);
const FIRST = pattern('compare? level');
const MORE = pattern('by:and|or|to level');

/** "At least medium", "high or critical", "medium or higher", "low to high". */
const listed: Reader = (sentence, at) => {
  const first = FIRST(sentence, at);
  if (!first) return undefined;
  const named: RiskLevel[] = [first.values.level];
  let { end } = first;
  let isRange = false;
  for (let next = MORE(sentence, end); next; next = MORE(sentence, end)) {
    named.push(next.values.level);
    isRange ||= !sentence.is(end, 'and', 'or');
    end = next.end;
  }
  const orHigher = sentence.free<string>('orHigher', end);
  const operator = isRange ? 'range' : (first.values.compare?.split(' ')[0] ?? orHigher?.value);
  const levels = spread(named, operator);
  return levels.length > 0 ? { value: levels, length: end + (orHigher?.length ?? 0) - at } : undefined;
};

function spread(named: readonly RiskLevel[], operator?: string): RiskLevel[] {
  const places = named.map((level) => LEVELS.indexOf(level));
  const [low, high] = [Math.min(...places), Math.max(...places)];
  const ranges: Record<string, [from: number, before?: number]> = {
    ...{ range: [low, high + 1], GTE: [low], GT: [low + 1], LTE: [0, high + 1], LT: [0, high] },
  };
  const range = ranges[operator ?? ''];
  return range ? LEVELS.slice(...range) : LEVELS.filter((level) => named.includes(level));
}

const little = when((sentence, at) => sentence.isFiller(at) || sentence.tokens[at]?.kind === 'mark');
const LITTLE = 'little|stage? little|stage? little|stage?';

/** "High or critical risk", "risk level is high", "Schweregrad hoch". */
const PATTERNS = [
  'listed stop? risk stage? orHigher?',
  'listed stop? severityWord',
  ...[`risk ${LITTLE} listed`, `severityWord ${LITTLE} listed`].flatMap((said) => [
    `stage stop? ${said}`,
    said,
  ]),
].map((source) => pattern(source, { listed, little }));

/** Claims risk ("medium or higher risk", "dangerous") and severity ("critical", "warnings"). */
export function readLevels(sentence: Sentence): void {
  for (const read of PATTERNS) {
    for (const at of sentence.tokens.keys()) {
      const match = read(sentence, at);
      if (!match) continue;
      const { listed: said, risk, orHigher } = match.values;
      const levels: RiskLevel[] = orHigher ? spread(said, orHigher) : said;
      const severity = levels.every((level) => LEVELS.indexOf(level) >= 2) ? 'critical' : 'warning';
      const filter = risk ? ({ kind: 'risk', levels } as const) : ({ kind: 'severity', severity } as const);
      sentence.claim(span(at, match.end - at), filter);
    }
  }
  for (const at of sentence.tokens.keys()) {
    const grave = sentence.free('grave', at);
    if (grave) sentence.claim(span(at, grave.length), { kind: 'risk', levels: ['high', 'critical'] });
    const said = sentence.free<Severity>('severity', at);
    if (said) sentence.claim(span(at, said.length), { kind: 'severity', severity: said.value });
  }
}
