import type { Lexicon } from './lexicon.ts';
import { NUMBER_WORDS } from './numbers.ts';

/** The numbers of an alert that a query can compare. */
export type Measure = 'persons' | 'queueLength' | 'waitSeconds' | 'serviceSeconds';
export type Operator = 'GT' | 'GTE' | 'LT' | 'LTE' | 'EQ';

export interface Comparison {
  readonly operator: Operator;
  /** "Longer than", "дольше": compares a queue length or a time, never a number of people. */
  readonly ofLength?: boolean;
  /** "Up to", "ab", "от": also used with times of day, so a number of hours after it is a time. */
  readonly alsoOfTime?: boolean;
}

const COMPARISONS: readonly (readonly [Comparison, string])[] = [
  [
    { operator: 'GT' },
    'more than|over|above|exceeding|exceeds|exceeded|greater than|bigger than|larger than|higher than|>|mehr als|über|größer als|höher als|oberhalb von|plus de|plus que|au dessus de|superieur* a|depass*|au dela de|más de|más que|mayor que|mayor a|mayores de|superior* a|por encima de|supera|superan|più di|oltre|sopra i|sopra le|sopra|superior* a|superior* ai|superior* alle|maggior* di|maggiore di|supera|superano|больше чем|больше|более чем|более|свыше|выше чем|выше|превыша*|meer dan|boven|mais de|超过|多于|超',
  ],
  [
    { operator: 'GT', ofLength: true },
    'longer than|länger als|plus long* que|plus longtemps que|plus long* de|más larg* que|más larg* de|más tiempo que|più lung* di|più lung* dei|più a lungo di|дольше чем|дольше|длиннее чем|длиннее|langer dan|mais longa que',
  ],
  [
    { operator: 'LT' },
    'less than|fewer than|under|below|smaller than|lower than|<|weniger als|unter|kleiner als|geringer als|moins de|moins que|inferieur* a|en dessous de|au dessous de|menos de|menos que|menor que|menor a|menores de|inferior* a|por debajo de|meno di|inferior* a|inferior* ai|sotto i|sotto|minor* di|меньше чем|меньше|менее чем|менее|ниже чем|minder dan|menos de|少于|不到',
  ],
  [
    { operator: 'LT', ofLength: true },
    'shorter than|kürzer als|plus court* que|más cort* que|más cort* de|più cort* di|più brev* di|короче чем|короче|korter dan',
  ],
  [
    { operator: 'GTE' },
    'at least|a minimum of|minimum of|minimum|min|not less than|no less than|no fewer than|> =|≥|mindestens|wenigstens|minimal|zumindest|au moins|au minimum|minimum de|al menos|por lo menos|como mínimo|mínimo|almeno|minimo|come minimo|не менее чем|не менее|не меньше чем|не меньше|минимум|как минимум|хотя бы|по меньшей мере|ten minste|minstens|pelo menos|ao menos|至少|不少于|少なくとも',
  ],
  [{ operator: 'GTE', alsoOfTime: true }, 'from|ab|à partir de|a partir de|a partire da|от|starting at'],
  [
    { operator: 'LTE' },
    'at most|a maximum of|maximum of|maximum|max|no more than|not more than|no longer than|not longer than|< =|≤|höchstens|maximal|nicht mehr als|au plus|au maximum|maximum de|como máximo|como mucho|a lo sumo|máximo|al massimo|massimo|al più|не более чем|не более|не больше чем|не больше|не дольше|не длиннее|максимум|hoogstens|maximaal|no máximo|最多|不超过|至多',
  ],
  [{ operator: 'LTE', alsoOfTime: true }, 'up to|bis zu|jusqu à|jusqu a|jusque|hasta|fino a|до'],
  [
    { operator: 'EQ' },
    'exactly|precisely|=|genau|exakt|exactement|exactamente|exacto|esattamente|precisamente|ровно|точно',
  ],
];

/** After a number: "5 or more", "5 minutes at least". */
const AFTER: readonly (readonly [Operator, string])[] = [
  [
    'GTE',
    '+|or more|or above|or longer|or over|and more|and up|and above|plus|at least|minimum|oder mehr|oder länger|und mehr|oder darüber|ou plus|et plus|minimum|au moins|o más|y más|o superior|como mínimo|al menos|o più|e più|e oltre|almeno|или больше|и больше|или более|и более|или дольше|и выше|of meer|ou mais|以上',
  ],
  [
    'LTE',
    'or less|or fewer|or shorter|or under|at most|max|maximum|oder weniger|oder kürzer|höchstens|maximal|ou moins|maximum|au plus|au maximum|o menos|como máximo|como mucho|o meno|al massimo|или меньше|и меньше|или менее|и менее|максимум|以下',
  ],
  ['GT', 'を超|超え'],
];

const PEOPLE =
  'people|person|persons|customer|customers|visitor*|guest|guests|shopper*|individuals|client|clients|patients|patient|personen|person|leute|leuten|kunden|kunde|kundinnen|menschen|besucher*|gästen|gäste|personnes|personne|gens|visiteurs|patients|personas|persona|cliente|clientes|gente|visitantes|pacientes|persone|persona|clienti|cliente|visitatori|pazienti|mensen|klanten|bezoekers|pessoas|pessoa|человек|человека|люд*|клиент*|посетител*|покупател*|人|个人|名|顾客|客|个顾客|位';

/** A unit of duration, in seconds. */
const DURATIONS: readonly (readonly [number, string])[] = [
  [
    1,
    's|sec|secs|second|seconds|sek|sekunde|sekunden|seconde|secondes|segundo|segundos|secondo|secondi|seg|сек|секунд*',
  ],
  [60, 'm|min|mins|minute|minutes|minuten|minuto|minutos|minuti|мин|минут*|分钟|分'],
  [3600, 'h|hr|hrs|hour|hours|stunde|stunden|std|heure|heures|hora|horas|ora|ore|час|часа|часов'],
];
/** Durations without a number. */
const WHOLE_DURATIONS: readonly (readonly [number, string])[] = [
  [
    1800,
    'half an hour|half hour|a half hour|einer halben stunde|eine halbe stunde|halbe stunde|une demi heure|demi heure|media hora|mezz ora|mezza ora|полчаса|получаса',
  ],
  [
    900,
    'a quarter of an hour|quarter of an hour|a quarter hour|einer viertelstunde|eine viertelstunde|un quart d heure|un cuarto de hora|un quarto d ora|четверти часа|четверть часа',
  ],
  [
    5400,
    'an hour and a half|anderthalb stunden|eineinhalb stunden|une heure et demie|hora y media|un ora e mezza|полтора часа|полутора часов',
  ],
];

const SUBJECTS: readonly (readonly ['wait' | 'service' | 'queue' | 'queueSize', string])[] = [
  [
    'wait',
    'wait|waits|waited|waiting|waiting time*|wait time*|wartezeit*|warten|wartet|warteten|gewartet|wartend*|wartedauer|attente|attentes|attend|attendent|attendaient|attendu|attendre|temps d attente|temps d attente moyen|espera|esperas|esperan|esperando|esperaron|esperado|tiempo* de espera|attesa|attese|attendono|attende|aspetta|aspettano|aspettato|aspettando|in attesa|temp* di attesa|temp* d attesa|ожидани*|время ожидания|времени ожидания|ждет|ждут|ждал*|ждать|ждущ*|ожида*|wachttijd*|wachten|espera|等待|等候',
  ],
  [
    'service',
    'service time*|service|served|serving|bedienung*|bedienzeit*|bedient|bedienen|abfertigung*|temps de service|servis|servi|servie|servicio|tiempo* de servicio|tiempo* de atención|atención|atendid*|servizio|temp* di servizio|servit*|обслужив*|время обслуживания|обслужен*',
  ],
  [
    'queue',
    'queue|queues|queueing|queuing|line|lines|lineup|schlange|schlangen|warteschlange*|kassenschlange*|anstehen|anstehend*|file|files|file d attente|files d attente|queue|queues|cola|colas|fila|filas|coda|code|fila|file|очеред*|rij|rijen|队列|排队|列',
  ],
  [
    'queueSize',
    'queue length*|queue size*|length of the queue|line length|schlangenlänge|länge der schlange|longueur de la file|longueur de file|longitud de la cola|lunghezza della coda|длина очереди|длину очереди|длиной',
  ],
];

const BETWEEN = 'between|from|zwischen|von|entre|de|entre les|tra|fra|tra le|da|между|от|с|tussen|之间';
const TO = 'and|to|until|till|bis|und|et|à|a|y|e|до|и|en|-|–|到';

/** Words directly before a number that make it a time: "last 30 minutes". */
const ROLLING =
  'last|past|previous|recent|letzten|letzte|vergangenen|dernieres|derniers|derniere|ultimos|ultimas|ultimi|ultime|ultima|ultimo|laatste|afgelopen|последн*|最近|过去|過去|直近';
const AGO_BEFORE = 'vor|il y a|hace|ha|fa';
const AGO_AFTER = 'ago|fa|geleden|atrás|назад|前|earlier|ago';

export function addQuantityWords(lexicon: Lexicon): void {
  for (const [comparison, words] of COMPARISONS) lexicon.add('comparison', comparison, words);
  for (const [operator, words] of AFTER) lexicon.add('orMore', operator, words);
  for (const [word, value] of NUMBER_WORDS) lexicon.add('number', value, word);
  for (const [seconds, words] of DURATIONS) lexicon.add('duration', seconds, words);
  for (const [seconds, words] of WHOLE_DURATIONS) lexicon.add('wholeDuration', seconds, words);
  for (const [subject, words] of SUBJECTS) lexicon.add('subject', subject, words);
  lexicon.add('people', true, PEOPLE);
  lexicon.add(
    'group',
    true,
    'group of|groups of|crowd of|gruppe von|gruppen von|groupe de|groupes de|grupo de|grupos de|gruppo di|gruppi di|группа из|groep van',
  );
  lexicon.add('between', true, BETWEEN).add('to', true, TO);
  lexicon.add('rolling', true, ROLLING).add('agoBefore', true, AGO_BEFORE).add('agoAfter', true, AGO_AFTER);
  lexicon.add('empty', true, 'empty|leer*|vide|vides|vacía|vacías|vacío|vuota|vuote|vuoto|пуст*');
}
