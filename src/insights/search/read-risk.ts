import { phrase, type QueryText } from './query-text.ts';

const RISK_LEVELS = ['low', 'medium', 'high', 'critical'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];
export type Severity = 'warning' | 'critical';

const LEVELS: Record<RiskLevel, string> = {
  low: 'low|niedrig\\p{L}*|gering\\p{L}*|faibles?|baj[oa]s?|bass[oaie]|laag|lage|baix[oa]s?|низк\\p{L}*|低',
  medium:
    'medium|moderate|mittler\\p{L}*|mittel\\p{L}*|moyen\\p{L}*|moder\\p{L}*|medi[oa]s?|gemiddeld\\p{L}*|средн\\p{L}*|中',
  high: 'high|hoh\\p{L}*|hoch|eleve\\p{L}*|haute?s?|alt[oaie]s?|hoog|hoge|высок\\p{L}*|高',
  critical: 'critical|kritisch\\p{L}*|critiques?|critic[oaie]s?|critiche|kritieke?|критич\\p{L}*|严重|重大',
};
const LEVEL = Object.values(LEVELS).join('|');
const RISK = 'risks?|risiko\\p{L}*|risques?|riesgos?|rischi?o?|risico|riscos?|риск\\p{L}*|风险|リスク';
const OR = '\\s*(?:,|/|or|and|to|oder|und|ou|et|o|y|e|of|en|или|и|或|か)\\s*';
const AT_LEAST = 'at least|mindestens|au moins|al menos|almeno|minstens|pelo menos|не ниже|至少';
const OR_HIGHER =
  '(?:or|and) (?:higher|above|more|worse)|oder hoher|und hoher|ou plus|o mas|o superior|o piu|of hoger|ou mais|и выше|以上';

const BEFORE_RISK = phrase(
  `(?:(?<atLeast>${AT_LEAST}) )?(?<levels>(?:${LEVEL})(?:${OR}(?:${LEVEL}))*)\\s*(?:(?<orHigher>${OR_HIGHER})\\s*)?[- ]?(?:de |di |do )?(?:${RISK})(?:[- ]?(?:levels?|niveau\\p{L}*))?(?:\\s*(?<orHigherToo>${OR_HIGHER}))?`,
);
const AFTER_RISK = phrase(
  `(?:${RISK})(?:[- ]?(?:levels?|niveau|stufe))?\\s*(?:is|of|=|:|ist|est|es)?\\s*(?:(?<atLeast>${AT_LEAST}) )?(?<levels>(?:${LEVEL})(?:${OR}(?:${LEVEL}))*)(?:\\s*(?<orHigher>${OR_HIGHER}))?`,
);
const GRAVE = phrase(
  'risky|riskant\\p{L}*|danger(?:ous)?|severe|serious|urgent\\p{L}*|gefahrlich\\p{L}*|dringend\\p{L}*|dangereu\\p{L}*|graves?|peligros[oa]s?|pericolos[oaie]|gevaarlijke?|perigos[oa]s?|опасн\\p{L}*|危险|危険な?|紧急',
);
const CRITICAL = phrase(LEVELS.critical);
const WARNING = phrase(
  'warnings?|warnung\\p{L}*|avertissements?|advertencias?|avvis[oi]|avvertiment[oi]|waarschuwing\\p{L}*|avisos?|предупрежд\\p{L}*|警告',
);

/** The risk levels the query asks for; empty: any. */
export function readRiskLevels(text: QueryText): RiskLevel[] {
  const match = text.take(BEFORE_RISK) ?? text.take(AFTER_RISK);
  if (match) {
    const { levels = '', atLeast, orHigher, orHigherToo } = match.groups ?? {};
    const named = RISK_LEVELS.filter((level) => phrase(LEVELS[level]).test(levels));
    if (!atLeast && !orHigher && !orHigherToo) return named;
    return RISK_LEVELS.slice(RISK_LEVELS.indexOf(named[0]!));
  }
  return text.takeAll(GRAVE).length > 0 ? ['high', 'critical'] : [];
}

/** The severity of alerts the query asks for; a query that names both means any. */
export function readSeverity(text: QueryText): Severity | undefined {
  const critical = text.takeAll(CRITICAL).length > 0;
  const warning = text.takeAll(WARNING).length > 0;
  if (critical === warning) return undefined;
  return critical ? 'critical' : 'warning';
}
