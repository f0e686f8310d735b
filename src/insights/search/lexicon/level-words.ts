import { RiskLevel } from '../../../platform/prisma-client/enums.ts';
import type { Lexicon } from './lexicon.ts';

/** From the lowest to the highest. */
export const RISK_LEVELS = Object.values(RiskLevel);

const LEVELS: Record<RiskLevel, string> = {
  low: 'low|niedrig*|gering*|faible|faibles|bajo|baja|bajos|bajas|basso|bassa|bassi|basse|laag|lage|baix*|низк*|低',
  medium:
    'medium|moderate|mittler*|mittel|mittelhoh*|moyen|moyenne|moyens|modere*|medio|media|medi|moderad*|moderat*|gemiddeld*|средн*|умеренн*|中',
  high: 'high|hoh|hoher|hohe|hohes|hohem|hohen|hoch|eleve|elevee|eleves|elevees|haut|haute|hauts|hautes|alto|alta|altos|altas|alti|alte|elevad*|elevat*|hoog|hoge|высок*|高',
  critical:
    'critical|criticals|kritisch*|critique|critiques|critico|critica|criticos|criticas|critici|critiche|kritiek*|критич*|严重|重大',
};
const WARNING =
  'warning|warnings|warn|warnung*|warnmeldung*|warnhinweis*|avertissement*|advertencia*|aviso|avisos|avviso|avvisi|avvertiment*|avvertenz*|waarschuwing*|предупрежд*|警告';
const RISK = 'risk|risks|risiko*|risque*|riesgo*|rischio|rischi|risico*|risco*|риск*|风险|リスク';
const SEVERITY =
  'severity|schweregrad*|sévérité|gravité|severidad|gravedad|gravità|severità|серьезност*|важност*';
const STAGE = 'level|levels|niveau*|stufe*|nivel*|livell*|уров*';
const OR_HIGHER =
  'or higher|and higher|or above|and above|or more|or worse|and up|oder höher*|und höher*|oder mehr|ou plus|ou supérieur*|et plus|o más|o superior*|y superior*|o más alto|o più|o superiore|e superiore|of hoger|ou mais|и выше|или выше|以上';
const OR_LOWER =
  'or lower|or below|and below|oder niedriger|ou moins|o menos|o inferior*|o meno|и ниже|или ниже|以下';
/** Words that mean a risk of high or critical. */
const GRAVE =
  'risky|riskant*|danger|dangerous|severe|serious|urgent*|gefährlich*|bedrohlich*|dringend*|dangereu*|grave|graves|gravi|peligros*|pericolos*|gevaarlijk*|perigos*|опасн*|危险|危険|紧急';

export function addLevelWords(lexicon: Lexicon): void {
  for (const level of RISK_LEVELS) lexicon.add('level', level, LEVELS[level]);
  lexicon
    .add('severity', 'critical', LEVELS.critical)
    .add('severity', 'warning', WARNING)
    .add('risk', true, RISK)
    .add('severityWord', true, SEVERITY)
    .add('stage', true, STAGE)
    .add('orHigher', 'GTE', OR_HIGHER)
    .add('orHigher', 'LTE', OR_LOWER)
    .add('grave', true, GRAVE);
}
