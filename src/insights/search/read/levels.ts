import type { RiskLevel, Severity } from '../../../platform/prisma-client/client.ts';
import { RISK_LEVELS } from '../lexicon/level-words.ts';
import type { Comparison } from '../lexicon/quantity-words.ts';
import { type Sentence, span } from './sentence.ts';

/** Claims risk ("medium or higher risk", "dangerous") and severity ("critical", "warnings"). */
export function readLevels(sentence: Sentence): void {
  const { length } = sentence.tokens;
  for (let at = 0; at < length; at += 1) readLevelBeforeRisk(sentence, at);
  for (let at = 0; at < length; at += 1) readLevelAfter(sentence, at);
  for (let at = 0; at < length; at += 1) {
    const grave = sentence.free('grave', at);
    if (grave) sentence.claim(span(at, grave.length), { kind: 'risk', levels: ['high', 'critical'] });
    const severity = sentence.free<Severity>('severity', at);
    if (severity) sentence.claim(span(at, severity.length), { kind: 'severity', severity: severity.value });
  }
}

interface Levels {
  readonly levels: readonly RiskLevel[];
  readonly end: number;
}

/** "At least medium", "high or critical", "medium or higher". */
function readListed(sentence: Sentence, at: number): Levels | null {
  const comparison = sentence.free<Comparison>('comparison', at);
  const start = at + (comparison?.length ?? 0);
  const first = sentence.free<RiskLevel>('level', start);
  if (!first) return null;
  const named: RiskLevel[] = [first.value];
  let end = start + first.length;
  let isRange = false;
  for (;;) {
    const listed = sentence.free('or', end) ?? sentence.free('and', end);
    const joined = listed ?? sentence.free('to', end);
    const next = joined && sentence.free<RiskLevel>('level', end + joined.length);
    if (!joined || !next) break;
    named.push(next.value);
    isRange ||= !listed;
    end += joined.length + next.length;
  }
  const orHigher = sentence.free<'GTE' | 'LTE'>('orHigher', end);
  const operator = comparison?.value.operator ?? orHigher?.value ?? null;
  const levels = isRange ? between(named) : spread(named, operator);
  return { levels, end: end + (orHigher?.length ?? 0) };
}

/** "Low to high". */
const between = (named: readonly RiskLevel[]): RiskLevel[] => {
  const places = named.map((level) => RISK_LEVELS.indexOf(level));
  return RISK_LEVELS.slice(Math.min(...places), Math.max(...places) + 1);
};

function spread(named: readonly RiskLevel[], operator: Comparison['operator'] | null): RiskLevel[] {
  const places = named.map((level) => RISK_LEVELS.indexOf(level));
  const [low, high] = [Math.min(...places), Math.max(...places)];
  if (operator === 'GTE') return RISK_LEVELS.slice(low);
  if (operator === 'GT') return RISK_LEVELS.slice(low + 1);
  if (operator === 'LTE') return RISK_LEVELS.slice(0, high + 1);
  if (operator === 'LT') return RISK_LEVELS.slice(0, high);
  return RISK_LEVELS.filter((level) => named.includes(level));
}

function readLevelBeforeRisk(sentence: Sentence, at: number): void {
  const listed = readListed(sentence, at);
  if (!listed || listed.levels.length === 0) return;
  let end = listed.end;
  if (sentence.isFree(end) && sentence.isFiller(end) && !sentence.senseAt('risk', end)) end += 1;
  const risk = sentence.free('risk', end);
  const severityWord = sentence.free('severityWord', end);
  if (severityWord) {
    claimSeverity(sentence, span(at, end + severityWord.length - at), listed.levels);
    return;
  }
  if (!risk) return;
  end += risk.length;
  end += sentence.free('stage', end)?.length ?? 0;
  const orHigher = sentence.free<'GTE' | 'LTE'>('orHigher', end);
  const levels = orHigher ? spread(listed.levels, orHigher.value) : listed.levels;
  sentence.claim(span(at, end + (orHigher?.length ?? 0) - at), { kind: 'risk', levels });
}

/** "Risk level is high", "Schweregrad hoch". */
function readLevelAfter(sentence: Sentence, at: number): void {
  const risk = sentence.free('risk', at);
  const word = risk ?? sentence.free('severityWord', at);
  if (!word) return;
  let start = at + word.length;
  for (let skipped = 0; skipped < 3 && !readListed(sentence, start); skipped += 1) {
    const isLittle =
      sentence.isFree(start) &&
      (sentence.isFiller(start) ||
        sentence.senseAt('stage', start) ||
        sentence.tokens[start]?.kind === 'mark');
    if (!isLittle) return;
    start += 1;
  }
  const listed = readListed(sentence, start);
  if (!listed || listed.levels.length === 0) return;
  const stage =
    sentence.senseAt('stage', at - 2) && sentence.isFiller(at - 1)
      ? 2
      : sentence.senseAt('stage', at - 1)
        ? 1
        : 0;
  const tokens = span(at - stage, listed.end - at + stage).filter((token) => sentence.isFree(token));
  if (risk) {
    sentence.claim(tokens, { kind: 'risk', levels: listed.levels });
    return;
  }
  claimSeverity(sentence, tokens, listed.levels);
}

function claimSeverity(sentence: Sentence, tokens: readonly number[], levels: readonly RiskLevel[]): void {
  const isCritical = levels.every((level) => level === 'high' || level === 'critical');
  sentence.claim(tokens, { kind: 'severity', severity: isCritical ? 'critical' : 'warning' });
}
