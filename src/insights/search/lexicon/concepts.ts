import type { Lexicon } from './lexicon.ts';

/** A thing or an activity that summaries describe. Summaries are in English whatever the language of the query. */
export interface Concept {
  /** The English word that is searched and shown. */
  readonly word: string;
  /** Synonyms in English: beginnings of words; a blank joins words that follow one another. */
  readonly also: readonly string[];
  /** `place`: names of places contain such words. `quality`: describes the next word. */
  readonly role: 'place' | 'quality' | 'thing';
  /** The query has the word in English, so it is shown as written. */
  readonly isEnglish: boolean;
}

const PLACES =
  /^(?:door|entrance|exit|checkout|counter|main|north|south|east|west|parking|bakery|pharmacy|lobby|area)$/;
const QUALITIES = /^(?:long|short|empty|unattended|close|open|slow|busy|elderly|aggressive|loud|suspicious)$/;

/**
 * By the word and its synonyms: the forms in English queries, then after the = sign those in German ones.
 */
const CONCEPTS: Readonly<Record<string, string>> = {
  'queue/line/lineup':
    'queue|queues|queueing|queuing|queued|line|lines|lineup|lined up|lining up = schlange|schlangen|warteschlange*|kassenschlange*|menschenschlange*|anstehen|anstehend*',
  wait: 'wait|waits|waiting|waited = warten|wartet|warteten|gewartet|wartend*|wartezeit*|wartedauer',
  long: 'long = lange|langer|langes|langen|langem|lang',
  short: 'short = kurze|kurzer|kurzen|kurzes|kurz',
  'empty/nobody': 'empty = leer|leere|leerer|leeren|leeres',
  'crowd/crowded':
    'crowd|crowds|crowded|crowding|overcrowded = gedränge|menschenmenge*|menge|überfüllt*|andrang|menschenansammlung*|ansammlung*',
  'argue/arguing/quarrel/dispute/row':
    'argue|argues|argued|arguing|argument|arguments|quarrel*|dispute|disputes = streit|streiten|streitet|stritt|stritten|gestritten|streitend*|streitigkeit*|streiterei*|auseinandersetzung*|zank*',
  'fight/fought/brawl/scuffle':
    'fight|fights|fighting|fought|brawl*|scuffle* = schlägerei*|prügel*|kampf|kämpfe|kämpfen|rauferei*|handgreiflich*|schlagen sich',
  'push/shove': 'push|pushes|pushing|pushed|shov* = drängel*|schubs*|drängen|gedrängel*|gerangel|geschubse',
  'shout/yell/scream':
    'shout|shouts|shouting|shouted|yell*|scream* = schreien|schreit|schrie*|geschrien|brüllen|brüllt|geschrei|schreiend*|gebrüll',
  run: 'run|runs|running|ran = rennen|rennt|rennend*|laufen|läuft|rannte*',
  'fall/fell/collapse':
    'fall|falls|falling|fell|fallen|collapse*|tripped = gestürzt|sturz|stürz*|hingefallen|gefallen',
  'child/children/kid': 'child|children|kid|kids|toddler*|baby|babies = kind|kinder|kindern|kleinkind*',
  'bag/suitcase/luggage/backpack':
    'bag|bags|suitcase*|luggage|backpack* = tasche|taschen|koffer*|gepäck*|rucksack|rucksäcke',
  'unattended/abandoned/left behind':
    'unattended|abandoned|left behind = herrenlos*|unbeaufsichtigt*|stehengelassen*|zurückgelassen*',
  'trolley/cart': 'trolley|trolleys|cart|carts = einkaufswagen|wagen',
  'cashier/staff/employee/clerk': 'cashier|cashiers = kassierer*|kassiererin*',
  'staff/cashier/employee/clerk':
    'staff|employee*|clerk*|attendant* = mitarbeiter*|personal|angestellt*|verkäufer*',
  'leave/left/leaving/gave up/abandon':
    'leave|leaves|leaving|gave up|give up|giving up|walk* away|walked out = verlassen|verlässt|verließ*|weggegangen|aufgegeben|gegangen|abgebrochen',
  'serve/service': 'serve|serves|served|serving|service = bedient|bedienen|bedienung',
  'dog/animal': 'dog|dogs = hund|hunde|hunden',
  'smoke/smoking/cigarette': 'smoke|smoking|smokes|smoked = rauch|rauchen|raucht|rauchend*',
  'fire/flames': 'fire|flames = feuer|brand',
  'blocked/obstruct': 'block|blocks|blocked|blocking|obstruct* = blockier*|versperr*|zugestellt',
  close: 'closed|shut = geschlossen*',
  open: 'open = offen|offene|offener|offenen|geöffnet*',
  slow: 'slow|slowly = langsam*',
  busy: 'busy = voll|volle|voller|beschäftigt',
  'steal/theft/stole/shoplift':
    'steal|steals|stealing|stole|stolen|theft|thefts|thief|thieves|shoplift* = diebstahl|diebstähle|dieb|diebe|stehlen|gestohlen|stiehlt|ladendieb*',
  'accident/injury': 'accident|accidents|injury|injured|injuries = unfall|unfälle|verletzt*|verletzung*',
  'vehicle/car/truck': 'vehicle|vehicles|car|cars|truck|trucks = auto|autos|fahrzeug*|lkw',
  wheelchair: 'wheelchair* = rollstuhl*',
  'elderly/old': 'elderly = ältere|älterer|alte|alten|alter|altem|altes|senioren',
  'woman/women/female': 'woman|women = frau|frauen',
  'man/men/male': 'man|men = mann|männer|männern',
  'phone/mobile': 'phone|phones|smartphone* = handy|handys|telefon*',
  pay: 'pay|pays|paying|paid|payment* = zahlen|zahlt|bezahl*|zahlung*',
  complain: 'complain* = beschwer*',
  'security/guard': 'security|guard|guards = sicherheitsdienst*|wachmann|wachpersonal',
  police: 'police = polizei',
  'aggressive/angry': 'aggressive|angry|angrily = aggressiv*|wütend*',
  'loud/noisy': 'loud|loudly|noisy = laut|laute|lautstark*|lärm*',
  'spill/wet': 'spill*|wet = nass|nasse|nasser|verschüttet*',
  'stroller/pram': 'stroller*|pram* = kinderwagen',
  suspicious: 'suspicious* = verdächtig*',
  'loiter/linger': 'loiter*|lingering = herumlungern*|lungern',
  door: 'door|doors|doorway = tür|türen',
  'entrance/entry': 'entrance|entrances|entry = eingang*|haupteingang*|eingänge*',
  exit: 'exit|exits = ausgang*|ausgänge*',
  'checkout/till/register': 'checkout|checkouts|till|tills|register|registers|cash desk* = kasse|kassen',
  'counter/desk': 'counter|counters|desk|desks = schalter|schaltern|theke|tresen',
  main: 'main = haupt',
  north: 'north|northern = nord|nördlich*',
  south: 'south|southern = süd|südlich*',
  east: 'east|eastern = ost|östlich*',
  west: 'west|western = westlich*',
  parking: 'parking|car park = parkplatz|parkhaus|parkplätze',
  bakery: 'bakery = bäckerei*',
  pharmacy: 'pharmacy = apotheke*',
  'lobby/foyer': 'lobby|foyer = eingangshalle',
  'area/zone': 'area|areas = bereich*',
};

const roleOf = (word: string): Concept['role'] =>
  PLACES.test(word) ? 'place' : QUALITIES.test(word) ? 'quality' : 'thing';

export function addConcepts(lexicon: Lexicon, language: 'en' | 'de'): void {
  for (const [names, forms] of Object.entries(CONCEPTS)) {
    const [word, ...also] = names.split('/') as [string, ...string[]];
    const [english, german] = forms.split(' = ') as [string, string];
    const concept: Concept = { word, also, role: roleOf(word), isEnglish: language === 'en' };
    lexicon.add('concept', concept, language === 'en' ? english : german);
  }
}
