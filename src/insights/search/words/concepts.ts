/**
 * Things and activities that summaries describe, which are in English whatever the language of the query: a role, the word
 * with its synonyms, then its forms in English queries and those in German ones. Names of places contain words of the role
 * `place`; a `quality` describes the next word.
 */
export const CONCEPTS = `
thing queue/line/lineup = queue|queues|queueing|queuing|queued|line|lines|lineup|lined up|lining up = schlange|schlangen|warteschlange*|kassenschlange*|menschenschlange*|anstehen|anstehend*
thing wait = wait|waits|waiting|waited = warten|wartet|warteten|gewartet|wartend*|wartezeit*|wartedauer
quality long = long = lange|langer|langes|langen|langem|lang
quality short = short = kurze|kurzer|kurzen|kurzes|kurz
quality empty/nobody = empty = leer|leere|leerer|leeren|leeres
thing crowd/crowded = crowd|crowds|crowded|crowding|overcrowded = gedränge|menschenmenge*|menge|überfüllt*|andrang|menschenansammlung*|ansammlung*
thing argue/arguing/quarrel/dispute/row = argue|argues|argued|arguing|argument|arguments|quarrel*|dispute|disputes = streit|streiten|streitet|stritt|stritten|gestritten|streitend*|streitigkeit*|streiterei*|auseinandersetzung*|zank*
thing fight/fought/brawl/scuffle = fight|fights|fighting|fought|brawl*|scuffle* = schlägerei*|prügel*|kampf|kämpfe|kämpfen|rauferei*|handgreiflich*|schlagen sich
thing push/shove = push|pushes|pushing|pushed|shov* = drängel*|schubs*|drängen|gedrängel*|gerangel|geschubse
thing shout/yell/scream = shout|shouts|shouting|shouted|yell*|scream* = schreien|schreit|schrie*|geschrien|brüllen|brüllt|geschrei|schreiend*|gebrüll
thing run = run|runs|running|ran = rennen|rennt|rennend*|laufen|läuft|rannte*
thing fall/fell/collapse = fall|falls|falling|fell|fallen|collapse*|tripped = gestürzt|sturz|stürz*|hingefallen|gefallen
thing child/children/kid = child|children|kid|kids|toddler*|baby|babies = kind|kinder|kindern|kleinkind*
thing bag/suitcase/luggage/backpack = bag|bags|suitcase*|luggage|backpack* = tasche|taschen|koffer*|gepäck*|rucksack|rucksäcke
quality unattended/abandoned/left behind = unattended|abandoned|left behind = herrenlos*|unbeaufsichtigt*|stehengelassen*|zurückgelassen*
thing trolley/cart = trolley|trolleys|cart|carts = einkaufswagen|wagen
thing cashier/staff/employee/clerk = cashier|cashiers = kassierer*|kassiererin*
thing staff/cashier/employee/clerk = staff|employee*|clerk*|attendant* = mitarbeiter*|personal|angestellt*|verkäufer*
thing leave/left/leaving/gave up/abandon = leave|leaves|leaving|gave up|give up|giving up|walk* away|walked out = verlassen|verlässt|verließ*|weggegangen|aufgegeben|gegangen|abgebrochen
thing serve/service = serve|serves|served|serving|service = bedient|bedienen|bedienung
thing dog/animal = dog|dogs = hund|hunde|hunden
thing smoke/smoking/cigarette = smoke|smoking|smokes|smoked = rauch|rauchen|raucht|rauchend*
thing fire/flames = fire|flames = feuer|brand
thing blocked/obstruct = block|blocks|blocked|blocking|obstruct* = blockier*|versperr*|zugestellt
quality close = closed|shut = geschlossen*
quality open = open = offen|offene|offener|offenen|geöffnet*
quality slow = slow|slowly = langsam*
quality busy = busy = voll|volle|voller|beschäftigt
thing steal/theft/stole/shoplift = steal|steals|stealing|stole|stolen|theft|thefts|thief|thieves|shoplift* = diebstahl|diebstähle|dieb|diebe|stehlen|gestohlen*|stiehlt|ladendieb*
thing accident/injury = accident|accidents|injury|injured|injuries = unfall|unfälle|verletzt*|verletzung*
thing vehicle/car/truck = vehicle|vehicles|car|cars|truck|trucks = auto|autos|fahrzeug*|lkw
thing wheelchair = wheelchair* = rollstuhl*
quality elderly/old = elderly = ältere|älterer|alte|alten|alter|altem|altes|senioren
thing woman/women/female = woman|women = frau|frauen
thing man/men/male = man|men = mann|männer|männern
thing phone/mobile = phone|phones|smartphone* = handy|handys|telefon*
thing pay = pay|pays|paying|paid|payment* = zahlen|zahlt|bezahl*|zahlung*
thing complain = complain* = beschwer*
thing security/guard = security|guard|guards = sicherheitsdienst*|wachmann|wachpersonal
thing police = police = polizei
quality aggressive/angry = aggressive|angry|angrily = aggressiv*|wütend*
quality loud/noisy = loud|loudly|noisy = laut|laute|lautstark*|lärm*
thing spill/wet = spill*|wet = nass|nasse|nasser|verschüttet*
thing stroller/pram = stroller*|pram* = kinderwagen
quality suspicious = suspicious* = verdächtig*
thing loiter/linger = loiter*|lingering = herumlungern*|lungern
place door = door|doors|doorway = tür|türen
place entrance/entry = entrance|entrances|entry = eingang*|haupteingang*|eingänge*
place exit = exit|exits = ausgang*|ausgänge*
place checkout/till/register = checkout|checkouts|till|tills|register|registers|cash desk* = kasse|kassen
place counter/desk = counter|counters|desk|desks = schalter|schaltern|theke|tresen
place main = main = haupt
place north = north|northern = nord|nördlich*
place south = south|southern = süd|südlich*
place east = east|eastern = ost|östlich*
place west = west|western = westlich*
place parking = parking|car park = parkplatz|parkhaus|parkplätze
place bakery = bakery = bäckerei*
place pharmacy = pharmacy = apotheke*
place lobby/foyer = lobby|foyer = eingangshalle
place area/zone = area|areas = bereich*
`;
