import { RiskLevel } from '../../../platform/prisma-client/enums.ts';
import type { Lexicon } from './lexicon.ts';

/** From the lowest to the highest. */
export const RISK_LEVELS = Object.values(RiskLevel);

const EN = {
  low: 'low|minor',
  medium: 'medium|moderate',
  high: 'high',
  critical: 'critical|criticals',
  warning: 'warning|warnings',
  risk: 'risk|risks',
  severity: 'severity',
  stage: 'level|levels',
  orHigher: 'or higher|and higher|or above|and above|or more|or worse|and up|or greater|upwards',
  orLower: 'or lower|or below|and below|or less',
  grave: 'risky|danger|dangers|dangerous|severe|serious|urgent|hazardous',
};

const DE: typeof EN = {
  low: 'niedrig*|gering*',
  medium: 'mittler*|mittel|mittelhoh*|mäßig*',
  high: 'hoh|hoher|hohe|hohes|hohem|hohen|hoch',
  critical: 'kritisch*',
  warning: 'warnung*|warnmeldung*|warnhinweis*',
  risk: 'risiko*|risiken|gefahrenstufe',
  severity: 'schweregrad*|dringlichkeit',
  stage: 'level|niveau*|stufe*',
  orHigher: 'oder höher*|und höher*|oder mehr|und mehr|oder schlimmer|oder darüber|aufwärts',
  orLower: 'oder niedriger*|oder geringer*|oder darunter|oder weniger',
  grave: 'riskant*|gefährlich*|bedrohlich*|dringend*|gefahr|gefahren|ernst*',
};

export function addLevelWords(lexicon: Lexicon, language: 'en' | 'de'): void {
  const words = language === 'en' ? EN : DE;
  for (const level of RISK_LEVELS) lexicon.add('level', level, words[level]);
  lexicon
    .add('severity', 'critical', words.critical)
    .add('severity', 'warning', words.warning)
    .add('risk', true, words.risk)
    .add('severityWord', true, words.severity)
    .add('stage', true, words.stage)
    .add('orHigher', 'GTE', words.orHigher)
    .add('orHigher', 'LTE', words.orLower)
    .add('grave', true, words.grave);
}
