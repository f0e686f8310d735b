import type { Lexicon } from './lexicon.ts';
import { numberWords } from './numbers.ts';

/** The numbers of an alert that a query can compare. */
export type Measure = 'persons' | 'queueLength' | 'waitSeconds' | 'serviceSeconds';
/** What a word beside a number says that it measures. */
export type Subject = 'wait' | 'service' | 'queue' | 'queueSize';
export type Operator = 'GT' | 'GTE' | 'LT' | 'LTE' | 'EQ';

export interface Comparison {
  readonly operator: Operator;
  /** "Longer than": compares a queue length or a time, never a number of people. */
  readonly ofLength?: boolean;
  /** "Up to", "ab": also used with times of day, so a number of hours after it is a time. */
  readonly alsoOfTime?: boolean;
}

/** By language: comparisons before a number. */
const COMPARISONS: readonly (readonly [Comparison, en: string, de: string])[] = [
  [
    { operator: 'GT' },
    'more than|over|above|exceed|exceeding|exceeds|exceeded|greater than|bigger than|larger than|higher than|>|in excess of|upwards of|beyond|topped|tops|surpass*|went over|goes over|passed',
    'mehr als|über|größer als|höher als|oberhalb von|überschr*|überstieg*|übersteigt|>',
  ],
  [{ operator: 'GT', ofLength: true }, 'longer than|slower than', 'länger als|langsamer als'],
  [
    { operator: 'LT' },
    'less than|fewer than|under|below|smaller than|lower than|fell below|<',
    'weniger als|unter|kleiner als|geringer als|unterschr*|<',
  ],
  [{ operator: 'LT', ofLength: true }, 'shorter than|faster than|quicker than', 'kürzer als|schneller als'],
  [
    { operator: 'GTE' },
    'at least|a minimum of|minimum of|minimum|min|not less than|no less than|no fewer than|not fewer than|reached|reaches|hit|> =|≥',
    'mindestens|mind|mind .|min|min .|wenigstens|minimal|zumindest|nicht weniger als|nicht unter|erreichte*|erreicht|> =|≥',
  ],
  [{ operator: 'GTE', alsoOfTime: true }, 'from|starting at', 'ab'],
  [
    { operator: 'LTE' },
    'at most|a maximum of|maximum of|maximum|max|no more than|not more than|no longer than|not longer than|< =|≤',
    'höchstens|maximal|nicht mehr als|nicht länger als|nicht über|max|max .|< =|≤',
  ],
  [{ operator: 'LTE', alsoOfTime: true }, 'up to', 'bis zu'],
  [{ operator: 'EQ' }, 'exactly|precisely|=', 'genau|exakt|='],
];

/** After a number: "5 or more", "5 minutes at least". */
const AFTER: readonly (readonly [Operator, en: string, de: string])[] = [
  [
    'GTE',
    '+|or more|or above|or longer|or over|and more|and up|and above|plus|at least|minimum|or greater',
    '+|oder mehr|oder länger|und mehr|oder darüber|plus|und länger|aufwärts|mindestens',
  ],
  [
    'LTE',
    'or less|or fewer|or shorter|or under|at most|max|maximum|tops',
    'oder weniger|oder kürzer|höchstens|maximal|oder darunter|und weniger',
  ],
];

/** A unit of duration, in seconds. */
const DURATIONS: readonly (readonly [number, en: string, de: string])[] = [
  [1, 's|sec|secs|second|seconds', 's|sek|sekunde|sekunden|sec'],
  [60, 'm|min|mins|minute|minutes', 'm|min|minute|minuten'],
  [3600, 'h|hr|hrs|hour|hours', 'h|std|stunde|stunden'],
];
/** Durations without a number. */
const WHOLE_DURATIONS: readonly (readonly [number, en: string, de: string])[] = [
  [
    1800,
    'half an hour|half hour|a half hour|half a hour',
    'einer halben stunde|eine halbe stunde|halbe stunde|halben stunde',
  ],
  [30, 'half a minute|half minute', 'einer halben minute|eine halbe minute|halbe minute'],
  [
    900,
    'a quarter of an hour|quarter of an hour|a quarter hour|quarter hour',
    'einer viertelstunde|eine viertelstunde|viertelstunde',
  ],
  [2700, 'three quarters of an hour', 'dreiviertelstunde|eine dreiviertelstunde|einer dreiviertelstunde'],
  [5400, 'an hour and a half|one and a half hours', 'anderthalb stunden|eineinhalb stunden'],
  [90, 'a minute and a half|one and a half minutes', 'anderthalb minuten|eineinhalb minuten'],
];

const SUBJECTS: readonly (readonly [Subject, en: string, de: string])[] = [
  [
    'wait',
    'wait|waits|waited|waiting|waiting time*|wait time*',
    'wartezeit*|warten|wartet|warteten|wartete|gewartet|wartend*|wartedauer',
  ],
  [
    'service',
    'service time*|service|serve|serves|served|serving',
    'service|bedienung*|bedienzeit*|bedient|bedienen|abfertigung*|servicezeit*|bediendauer',
  ],
  [
    'queue',
    'queue|queues|queued|queueing|queuing|queing|line|lines|lineup|lined up|lining up|standing in line',
    'schlange|schlangen|warteschlange*|kassenschlange*|menschenschlange*|anstehen|anstehend*|anstanden|angestanden',
  ],
  [
    'queueSize',
    'queue length*|queue size*|length of the queue|line length|length of the line',
    'schlangenlänge*|länge der schlange|warteschlangenlänge*',
  ],
];

const EN = {
  people:
    'people|person|persons|customer|customers|visitor*|guest|guests|shopper*|individuals|client|clients|patients|patient|folk|folks|human|humans|ppl|buyer*|patron|patrons',
  /** People whose word says that they wait. */
  waiters: '',
  group: 'group of|groups of|crowd of',
  between: 'between|from',
  to: 'and|to|until|till|-|–',
  rolling: 'last|past|previous|recent',
  agoBefore: '',
  agoAfter: 'ago|earlier',
  empty: 'empty',
};

const DE: typeof EN = {
  people:
    'personen|person|leute|leuten|kunden|kunde|kundinnen|menschen|mensch|besucher*|gästen|gäste|gast|patienten|käufer*|pers|pers .',
  waiters: 'wartende|wartenden|anstehende|anstehenden',
  group: 'gruppe von|gruppen von|gruppe mit',
  between: 'zwischen|von',
  to: 'und|bis|bis zu|-|–',
  rolling: 'letzten|letzte|letzter|vergangenen|vergangene|vergangener',
  agoBefore: 'vor',
  agoAfter: '',
  empty: 'leer*',
};

export function addQuantityWords(lexicon: Lexicon, language: 'en' | 'de'): void {
  const own = (en: string, de: string) => (language === 'en' ? en : de);
  for (const [comparison, ...words] of COMPARISONS) lexicon.add('comparison', comparison, own(...words));
  for (const [operator, ...words] of AFTER) lexicon.add('orMore', operator, own(...words));
  for (const [word, value] of numberWords(language)) lexicon.add('number', value, word);
  for (const [seconds, ...words] of DURATIONS) lexicon.add('duration', seconds, own(...words));
  for (const [seconds, ...words] of WHOLE_DURATIONS) lexicon.add('wholeDuration', seconds, own(...words));
  for (const [subject, ...words] of SUBJECTS) lexicon.add('subject', subject, own(...words));
  for (const [kind, words] of Object.entries(language === 'en' ? EN : DE))
    if (words) lexicon.add(kind, true, words);
}
