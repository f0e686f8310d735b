import type { zones as en } from '../../en/scene/zones.ts';

const points = (count: number) => `${count} ${count === 1 ? 'Ecke' : 'Ecken'}`;

export const zones: typeof en = {
  editor: 'Zonen zeichnen',
  kinds: {
    queueZone: 'Warten',
    checkoutZone: 'Bedienung',
    till: 'Kasse',
    staffZone: 'Personal',
    tillStaff: 'Platz des Personals',
    mask: 'Schwärzung',
  },
  meanings: {
    queueZone: 'wo Menschen warten',
    checkoutZone: 'wo Menschen bedient werden',
    till: 'wo die Kunden einer Kasse stehen',
    staffZone: 'wo Personal steht; es wird nicht gezählt',
    tillStaff: 'wo das Personal einer Kasse steht',
    mask: 'in jedem Bild schwarz',
  },
  draw: 'Was möchten Sie zeichnen?',
  notDrawn: 'noch nicht gezeichnet',
  points,
  maskNumber: (number) => `Schwärzung ${number}`,
  hints: {
    start: 'Wählen Sie, was Sie zeichnen, und tippen Sie dann seine Ecken im Bild an.',
    pick: 'Tippen Sie eine Zone im Bild an, um sie zu ändern, oder wählen Sie oben, was Sie zeichnen.',
    first: {
      queueZone: 'Tippen Sie die erste Ecke des Bodens an, auf dem Menschen warten.',
      checkoutZone: 'Tippen Sie die erste Ecke des Bodens an, auf dem Menschen bedient werden.',
      till: 'Tippen Sie die erste Ecke des Bodens an, auf dem die Kunden einer Kasse stehen.',
      staffZone: 'Tippen Sie die erste Ecke des Platzes an, auf dem nur Personal steht.',
      tillStaff: 'Tippen Sie die erste Ecke des Platzes an, auf dem das Personal dieser Kasse steht.',
      mask: 'Tippen Sie die erste Ecke der Fläche an, die niemand sehen soll.',
    },
    next: 'Tippen Sie die nächste Ecke an, immer am Rand entlang.',
    finish: 'Tippen Sie weitere Ecken an, oder drücken Sie „Fertig“.',
    row: 'Tippen Sie die vier Ecken um alle Kassen der Reihe an, und teilen Sie sie dann.',
    full: 'Eine Fläche hat höchstens 20 Ecken. Drücken Sie „Fertig“.',
    shape: 'Ziehen Sie eine Ecke, um sie zu verschieben, oder einen kleinen Punkt für eine neue Ecke.',
    point: 'Ziehen Sie die Ecke, oder tippen Sie auf die Stelle, an die sie soll.',
    feet: 'Die Punkte sind Menschen, wie sie gerade stehen.',
  },
  done: 'Fertig',
  undo: 'Rückgängig',
  redo: 'Wiederholen',
  remove: 'Löschen',
  removePoint: 'Ecke löschen',
  removeShape: (name) => `${name} löschen`,
  templates: 'Oder beginnen Sie mit',
  template: { till: 'einer Schlange an der Kasse', room: 'einem Warteraum', row: 'einer Reihe von Kassen' },
  picture: 'Bild der Kamera',
  noPicture: 'Gerade gibt es kein Bild. Sie können trotzdem zeichnen oder es später versuchen.',
  shapeLabel: (name, count) => `${name}, ${points(count)}. Mit der Eingabetaste bearbeiten.`,
  pointLabel: (number, count, x, y) => `Ecke ${number} von ${count}: ${x} von links, ${y} von oben`,
  keys: 'Tab geht zur nächsten Ecke. Pfeiltasten verschieben sie um 1 %, mit Umschalt um 0,1 %. Die Eingabetaste fügt eine Ecke ein, Entf löscht sie, Esc bricht ab.',
  table: 'Ecken als Zahlen',
  tableText: 'Prozent der Breite von links und der Höhe von oben.',
  corner: 'Ecke',
  fromLeft: 'Von links, %',
  fromTop: 'Von oben, %',
  notANumber: 'Geben Sie eine Zahl von 0 bis 100 ein.',
  addPoint: 'Ecke hinzufügen',
  fault: {
    tooFew: 'braucht mindestens 3 Ecken.',
    tooMany: 'hat mehr als 20 Ecken.',
    outside: 'hat eine Ecke außerhalb des Bildes.',
    tooSmall: 'ist zu klein: Zeichnen Sie um den Platz, auf dem Menschen stehen.',
    samePoints: (first, second) =>
      `hat die Ecken ${first} und ${second} an derselben Stelle. Verschieben oder löschen Sie eine.`,
    crossing: (first, second) =>
      `kreuzt sich selbst: Die Kanten ${first} und ${second} treffen sich. Verschieben Sie eine Ecke.`,
  },
  nothingCounts:
    'Zeichnen Sie eine Zone für Warten oder Bedienung oder eine Kasse, damit jemand gezählt wird.',
  staffCovers: {
    queueZone:
      'Die Zone des Personals bedeckt die ganze Schlange: Kunden gälten als Personal. Machen Sie sie kleiner.',
    checkoutZone:
      'Die Zone des Personals bedeckt die ganze Bedienung: Kunden gälten als Personal. Machen Sie sie kleiner.',
  },
  around: {
    title: '„Warten“ umschließt „Bedienung“.',
    advice:
      'Wer bedient wurde, geht durch die Schlange hinaus, zählt dann vielleicht noch einmal als wartend und danach als aufgegeben. Zeichnen Sie „Warten“ neben „Bedienung“, nur dort, wo Menschen warten.',
  },
  hour: {
    show: 'Wo Menschen in der letzten Stunde waren',
    kinds: {
      seen: 'Füße gesehen',
      estimated: 'Füße verdeckt, hier geschätzt',
      unknown: 'Körper endet hier, Füße unbekannt',
    },
    until: 'Neuester Punkt:',
    unknownFeet:
      'Wo die Füße der Menschen hier sind, ist nicht bekannt: Die Kamera sieht zu wenig von ihnen. Zeichnen Sie die Zonen um die Stellen, an denen ihre Körper enden.',
    beside: (zone, share) => `${share} der Menschen bei „${zone}“ stehen knapp außerhalb.`,
    besideText:
      'Ihre Beine sind verdeckt, darum werden sie nicht gezählt. Wenn es Kunden sind, übernehmen Sie die gestrichelte Zone; vor dem Speichern können Sie sie noch ändern.',
    take: 'Gestrichelte Zone übernehmen',
    leave: 'So lassen',
  },
  tills: {
    title: 'Kassen',
    name: (number) => `Kasse ${number}`,
    nameOf: (name) => `Name von ${name || 'dieser Kasse'}`,
    sideOf: (name) => `Platz des Personals von ${name}`,
    side: 'Platz des Personals',
    addSide: 'Platz des Personals zeichnen',
    changeSide: 'Platz des Personals ändern',
    isFed: 'Die Schlange führt hierher',
    howMany: 'Anzahl der Kassen',
    divide: (count) => `In ${count} Kassen teilen`,
    noName: 'Eine Kasse braucht einen Namen.',
    sameName: 'Eine andere Kasse heißt schon so.',
    sideCovers:
      'Der Platz des Personals bedeckt die ganze Kasse: Kunden gälten als Personal. Machen Sie ihn kleiner.',
    staffCoversTill:
      'Die Zone des Personals bedeckt die ganze Kasse: Kunden gälten als Personal. Machen Sie sie kleiner.',
    overlaps: (name, other) =>
      `„${name}“ und „${other}“ überlappen sich um mehr als ein Zehntel: Wer dort steht, wäre an beiden. Verschieben Sie eine Ecke.`,
  },
  standing: (queue, service) => `Jetzt: ${queue} warten, ${service} werden bedient`,
};
