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
 * By the word and its synonyms: the English forms in queries, then after the = sign the forms in German, French, Spanish,
 * Italian and Russian.
 */
const CONCEPTS: Readonly<Record<string, string>> = {
  'queue/line/lineup':
    'queue|queues|queueing|queuing|queued|line|lines|lineup|lined up|lining up = schlange|schlangen|warteschlange*|kassenschlange*|menschenschlange*|anstehen|anstehend*|file|files|file d attente|files d attente|cola|colas|fila|filas|coda|code|file|очеред*',
  wait: 'wait|waits|waiting|waited = warten|wartet|warteten|gewartet|wartend*|wartezeit*|wartedauer|attente|attend|attendent|attendre|attendu|attendaient|temps d attente|espera|esperas|esperan|esperando|esperar|attesa|attese|attendono|aspetta|aspettano|aspettare|ожидани*|ожидают|ждет|ждут|ждал*|ждать',
  long: 'long = lange|langer|langes|langen|longue|longues|longs|larga|largas|largo|largos|lunga|lunghe|lungo|lunghi|длинн*|долг*',
  short:
    'short = kurze|kurzer|kurzen|kurz|courte|courtes|court|courts|corta|cortas|corto|cortos|breve|brevi|коротк*',
  'empty/nobody':
    'empty = leer|leere|leerer|leeren|leeres|vide|vides|vacía|vacías|vacío|vacíos|vuota|vuote|vuoto|vuoti|пуст*',
  'crowd/crowded':
    'crowd|crowds|crowded|crowding|overcrowded = gedränge|menschenmenge*|menge|überfüllt*|andrang|foule|bondé*|affluence|multitud|muchedumbre|aglomeraci*|abarrotad*|folla|affollat*|affollament*|ressa|толп*|давк*|скоплени*',
  'argue/arguing/quarrel/dispute/row':
    'argue|argues|argued|arguing|argument|arguments|quarrel*|dispute|disputes = streit|streiten|streitet|stritt|stritten|gestritten|streitend*|streitigkeit*|streiterei*|auseinandersetzung*|disputent|dispute|disputes|disputer|disputé*|se disputer|querelle*|altercation*|discut*|discusión|discusiones|disputa*|litig*|lite|liti|discussion*|спор*|ссор*|руга*|конфликт*|скандал*',
  'fight/fought/brawl/scuffle':
    'fight|fights|fighting|fought|brawl*|scuffle* = schlägerei*|prügel*|kampf|kämpfe|kämpfen|rauferei*|handgreiflich*|bagarre*|bagarrent|rixe*|battre|pelea|peleas|pelean|peleando|riña*|rissa|risse|zuffa|zuffe|picchia*|драк*|дерутся|драл*|подрались',
  'push/shove':
    'push|pushes|pushing|pushed|shov* = drängel*|schubs*|drängen|gedrängel*|gerangel|bouscul*|pousse|poussent|pousser|empuj*|spinton*|spinge|spingono|spingere|толка*|толкучк*|пиха*',
  'shout/yell/scream':
    'shout|shouts|shouting|shouted|yell*|scream* = schreien|schreit|schrie*|brüllen|geschrei|crie|crient|crier|cris|hurl*|gritar|gritan|gritando|gritos|urla|urlano|urlare|grida|gridano|крич*|крик*|орет|орут',
  run: 'run|runs|running|ran = rennen|rennt|rennend*|laufen|läuft|rannte*|courent|court|courir|corren|corre|corriendo|correr|corrono|correre|correndo|бежит|бегут|бега*|бежал*',
  'fall/fell/collapse':
    'fall|falls|falling|fell|fallen|collapse*|tripped = gestürzt|sturz|stürz*|hingefallen|gefallen|tombe|tombé*|tombent|chute*|caída*|caer|cae|cayó|caído*|caduta|cadute|cade|cadut*|упал*|падени*|падает',
  'child/children/kid':
    'child|children|kid|kids|toddler*|baby|babies = kind|kinder|kindern|kleinkind*|enfant*|bébé*|niño*|niña*|bebé*|bambin*|neonat*|дет|дети|детей|детьми|детям|детях|ребен*|ребят*|малыш*',
  'bag/suitcase/luggage/backpack':
    'bag|bags|suitcase*|luggage|backpack* = tasche|taschen|koffer*|gepäck*|rucksack|rucksäcke|sac|sacs|valise*|bagage*|bolso|bolsos|bolsa|bolsas|maleta*|mochila*|equipaje|borsa|borse|valigi*|zaino|zaini|bagagli*|сумк*|сумок|чемодан*|рюкзак*|багаж*',
  'unattended/abandoned/left behind':
    'unattended|abandoned|left behind = herrenlos*|unbeaufsichtigt*|stehengelassen*|abandonné|abandonnée|abandonnés|abandonnées|sans surveillance|abandonad*|desatendid*|sin vigilancia|incustodit*|abbandonat*|без присмотра|бесхозн*|оставленн*|брошенн*',
  'trolley/cart':
    'trolley|trolleys|cart|carts = einkaufswagen|wagen|caddie*|chariot*|carrito*|carro|carros|carrell*|тележк*|тележек',
  'cashier/staff/employee/clerk':
    'cashier|cashiers|staff|employee*|clerk* = kassierer*|kassiererin*|mitarbeiter*|personal|angestellt*|caissier|caissiers|caissiere|caissieres|personnel|employé*|cajero|cajera|cajeros|cajeras|emplead*|cassiere|cassiera|cassieri|dipendent*|impiegat*|кассир*|сотрудник*|персонал*|продав*',
  'leave/left/leaving/gave up/abandon':
    'leave|leaves|leaving|gave up|give up|giving up|walk* away|walked out = verlassen|verlässt|verließ*|weggegangen|aufgegeben|gegangen|quitte|quittent|quitté*|partis|partent|renoncent|renoncé*|abandonnent|abandonner|se fueron|se van|abandonan|abandonaron|se marchan|marcharon|abbandonano|rinuncia*|andati via|se ne vanno|уход*|ушл*|ушел|покину*|покида*',
  'serve/service':
    'serve|serves|served|serving|service = bedient|bedienen|bedienung|servi|servis|servie|servies|service|atendid*|atención|atiende*|servicio|servit*|servizio|обслуж*',
  situation: 'situation|situations = situationen|lage|situación|situaciones|situazion*|ситуаци*',
  'dog/animal': 'dog|dogs = hund|hunde|hunden|chien|chiens|perro|perros|cane|cani|собак*',
  'smoke/smoking/cigarette':
    'smoke|smoking|smokes|smoked = rauch|rauchen|raucht|rauchend*|fumée|fume|fument|fumer|fumeur*|humo|fumar|fuma|fuman|fumando|fumo|fumano|fumare|курит|курят|курение|курил*|дым*',
  'fire/flames': 'fire|flames = feuer|brand|incendie|feu|incendio|fuego|fuoco|пожар*|огонь',
  'blocked/obstruct':
    'block|blocks|blocked|blocking|obstruct* = blockier*|versperr*|zugestellt|bloque|bloquent|bloqué*|bloquer|bloquea*|obstruy*|blocca|bloccano|bloccat*|bloccare|ostrui*|блокир*|заблокир*|загоражива*|перекры*',
  close: 'closed|shut = geschlossen*|fermé|fermée|fermés|fermées|cerrad*|chius*|закрыт*',
  open: 'open = offen|offene|geöffnet*|ouvert*|abiert*|aperto|aperta|aperti|aperte|открыт*',
  slow: 'slow|slowly = langsam*|lent|lente|lents|lentes|lento|lenta|lentos|lentas|lenti|медленн*',
  busy: 'busy = voll|volle|beschäftigt|occupé*|ocupad*|occupat*|занят*',
  'steal/theft/stole/shoplift':
    'steal|steals|stealing|stole|stolen|theft|thefts|thief|thieves|shoplift* = diebstahl|diebstähle|dieb|diebe|stehlen|gestohlen|stiehlt|vol|vols|voleur*|vole|volent|volé*|robo|robos|robar|roban|ladrón|ladrones|hurto*|furto|furti|rubare|ruba|rubano|ladro|ladri|краж*|украл*|вор|воры|воров*',
  'accident/injury':
    'accident|accidents|injury|injured|injuries = unfall|unfälle|verletzt*|verletzung*|accident|accidents|blessé*|accidente*|herid*|infortun*|ferit*|авари*|травм*|несчастн* случа*',
  'vehicle/car/truck':
    'vehicle|vehicles|car|cars|truck|trucks = auto|autos|fahrzeug*|lkw|voiture*|véhicule*|camion*|coche|coches|vehículo*|veicol*|macchin*|automobil*|машин*|автомобил*|грузовик*',
  wheelchair: 'wheelchair* = rollstuhl*|fauteuil roulant|silla de ruedas|sedia a rotelle|коляск*',
  'elderly/old': 'elderly = ältere|alte|senioren|âgé*|anciano*|mayores|anziani|anziano|anziana|пожил*|стар*',
  'woman/women/female': 'woman|women = frau|frauen|femme|femmes|mujer|mujeres|donna|donne|женщин*',
  'man/men/male': 'man|men = mann|männer|männern|homme|hommes|hombre|hombres|uomo|uomini|мужчин*',
  'phone/mobile':
    'phone|phones|smartphone* = handy|handys|telefon*|téléphon*|portable*|teléfono*|móvil*|telefon*|cellulare*|телефон*',
  pay: 'pay|pays|paying|paid|payment* = zahlen|zahlt|bezahl*|zahlung*|payer|paie|paient|paiement*|pagar|paga|pagan|pagando|pago|pagano|pagare|pagament*|плат*|оплат*|оплач*',
  complain: 'complain* = beschwer*|plainte*|plaint|plaignent|queja*|quejan*|lament*|reclam*|жалоб*|жалу*',
  'security/guard':
    'security|guard|guards = sicherheitsdienst*|wachmann|wachpersonal|vigile*|guardia|guardias|vigilante*|guardie|охран*',
  police: 'police = polizei|policier*|policía*|polizia|полици*',
  'aggressive/angry':
    'aggressive|angry|angrily = aggressiv*|wütend*|agressi*|énervé*|agresiv*|enfadad*|enojad*|arrabbiat*|agressiv*|агрессивн*|злой|злые|злая|злится',
  'loud/noisy':
    'loud|loudly|noisy = laut|lautstark|lärm*|bruyant*|bruit|ruidos*|ruido|rumoros*|rumore|громк*|шумн*|шум',
  'spill/wet':
    'spill*|wet = nass|nasse|nasser|verschüttet*|mouillé*|renversé*|mojad*|derrame*|bagnat*|versat*|мокр*|пролит*',
  'stroller/pram': 'stroller*|pram* = kinderwagen|poussette*|cochecito*|passeggin*|детск* коляск*',
  suspicious: 'suspicious* = verdächtig*|suspect*|sospechos*|sospett*|подозрительн*',
  'loiter/linger': 'loiter*|lingering = herumlungern*|lungern|rôd*|flân*|merode*|vagabund*|bighellon*|слоня*',
  door: 'door|doors|doorway = tür|türen|porte|portes|puerta|puertas|porta|porte|двер*',
  'entrance/entry':
    'entrance|entrances|entry = eingang*|haupteingang*|eingänge*|entrée|entrées|entrada|entradas|ingresso|ingressi|entrata|entrate|вход|входа|входе|входу|входом|входы',
  exit: 'exit|exits = ausgang*|ausgänge*|sortie|sorties|salida|salidas|uscita|uscite|выход*',
  'checkout/till/register':
    'checkout|checkouts|till|tills|register|registers|cash desk* = kasse|kassen|caisse|caisses|caja|cajas|cassa|casse|касс|касса|кассы|кассе|кассу|кассой|кассах|кассам',
  'counter/desk':
    'counter|counters|desk|desks = schalter|schaltern|theke|tresen|guichet*|comptoir*|mostrador*|ventanilla*|sportell*|bancone|банкомат*|прилав*|стойк*|окошк*',
  main: 'main = haupt|principal|principale|principaux|principali|principales|главн*|основн*',
  north: 'north|northern = nord|nördlich*|norte|северн*|север',
  south: 'south|southern = süd|südlich*|sud|южн*|юг',
  east: 'east|eastern = ost|östlich*|este|восточн*',
  west: 'west|western = westlich*|ouest|oeste|ovest|западн*|запад',
  parking:
    'parking|car park = parkplatz|parkhaus|parkplätze|stationnement|aparcamiento|estacionamiento|parcheggio|парковк*|стоянк*',
  bakery: 'bakery = bäckerei*|boulangerie*|panadería*|panetteria|panificio|пекарн*|булочн*',
  pharmacy: 'pharmacy = apotheke*|pharmacie*|farmacia*|аптек*',
  'lobby/foyer': 'lobby|foyer = eingangshalle|hall|vestíbulo|atrio|лобби|вестибюл*|фойе',
  'area/zone': 'area|areas = bereich*|área*|zona|zonas|зон*',
};

const roleOf = (word: string): Concept['role'] =>
  PLACES.test(word) ? 'place' : QUALITIES.test(word) ? 'quality' : 'thing';

export function addConcepts(lexicon: Lexicon): void {
  for (const [names, forms] of Object.entries(CONCEPTS)) {
    const [word, ...also] = names.split('/') as [string, ...string[]];
    const [english, foreign] = forms.split(' = ') as [string, string];
    const concept = { word, also, role: roleOf(word) };
    lexicon.add('concept', { ...concept, isEnglish: true } satisfies Concept, english);
    lexicon.add('concept', { ...concept, isEnglish: false } satisfies Concept, foreign);
  }
}
