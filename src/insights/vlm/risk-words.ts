import { RiskLevel } from '../../platform/prisma-client/enums.ts';

const { low, medium, high, critical } = RiskLevel;
const ORDER: readonly RiskLevel[] = [low, medium, high, critical];

/** Words for a level, and what is meant where they are denied: "not high" is medium, "not serious" is low. */
const WORDS: readonly { readonly level: RiskLevel; readonly denied: RiskLevel; readonly words: RegExp }[] = [
  { level: critical, denied: medium, words: /^(?:critic|critiq|kritisch)/ },
  { level: critical, denied: low, words: /^(?:emergency|notfall|catastroph|katastroph)/ },
  { level: high, denied: medium, words: /^(?:high(?!ly)|hoch|hoh|elev|erhoht|alt[oa]s?$)/ },
  {
    level: high,
    denied: low,
    words: /^(?:severe|serious|significant|urgent|dringend|erheblich|ernst|schwer|grave)/,
  },
  {
    level: medium,
    denied: low,
    words: /^(?:medium|moderate(?!ly)|mittel|mittler|ma(?:ss|ß)ig|moyen|medi[oa]|moderat$)/,
  },
  {
    level: low,
    denied: medium,
    words:
      /^(?:low|niedrig|gering|minor|minimal|negligible|unlikely|unwahrscheinlich|faible|baj[oa]|bass[oa])/,
  },
];
const DENIES = /^(?:no|none|not|never|nothing|without|kein\w*|nicht|nichts|ohne|\w+n['’]t)$/;
const RAISES = /^(?:very|extrem\w*|highly|exceptionally|sehr|ausserst|außerst|hochst)$/;
const SOFTENS = /^(?:moderately|somewhat|slightly|mildly|ma(?:ss|ß)ig|etwas|leicht|maßvoll)$/;
/** The places where a denial ends. */
const CLAUSE = /[^\p{L}\s'’-]|\b(?:but|aber|sondern|since|because|weil|denn|da|and|und)\b/u;

interface Told {
  readonly level: RiskLevel;
  readonly isDenied: boolean;
}

/** What a clause says of the risk, in the order of its words. */
function toldIn(clause: string): Told[] {
  const words = clause.split(/[\s-]+/).filter((word) => word !== '');
  const found: Told[] = [];
  let [isDenied, before] = [false, ''];
  for (const [at, word] of words.entries()) {
    isDenied ||= DENIES.test(word);
    const isLast = at === words.length - 1;
    const known = SOFTENS.test(word) && !isLast ? undefined : WORDS.find(({ words: all }) => all.test(word));
    if (known) found.push({ level: isDenied ? known.denied : shifted(known.level, before), isDenied });
    // "Extreme" alone is a level.
    else if (isLast && found.length === 0 && /^extrem/.test(word)) found.push({ level: critical, isDenied });
    before = word;
  }
  if (isDenied && found.length === 0) found.push({ level: low, isDenied });
  return found;
}

/** "Very high" is critical, "moderately high" is medium; "very low" is low. */
function shifted(level: RiskLevel, before: string): RiskLevel {
  if (level !== high) return level;
  if (RAISES.test(before)) return critical;
  return SOFTENS.test(before) ? medium : level;
}

const plainOf = (text: string): string => text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
const toldOf = (text: string): Told[] => plainOf(text).split(CLAUSE).flatMap(toldIn);
const highest = (told: readonly Told[]): RiskLevel | undefined =>
  ORDER.findLast((level) => told.some((one) => one.level === level));

const affirmed = (told: readonly Told[]): Told[] => told.filter(({ isDenied }) => !isDenied);
const isList = (told: readonly Told[]): boolean => new Set(affirmed(told).map(({ level }) => level)).size > 2;

/** Whether a text repeats the list of levels instead of choosing one. */
export const isEcho = (text: string): boolean => isList(toldOf(text));

/** The level in the words of a model: the highest that is said and not denied; `medium` where none is chosen. */
export function riskOf(text: string): RiskLevel {
  const told = toldOf(text);
  if (isList(told)) return medium;
  return highest(affirmed(told)) ?? highest(told) ?? medium;
}
