/** The words of a check that is sent by e-mail. */
export interface ReportWords {
  readonly title: (camera: string) => string;
  readonly stills: (percent: string, range: string, moments: string) => string;
  readonly good: (people: string) => string;
  readonly goodForNone: string;
  readonly times: (percent: string, range: string, visits: string) => string;
  readonly nothing: string;
  readonly rows: Readonly<
    Record<
      | 'agreement'
      | 'by'
      | 'camera'
      | 'conditions'
      | 'exact'
      | 'bias'
      | 'lengthError'
      | 'method'
      | 'old'
      | 'served'
      | 'serviceTime'
      | 'time'
      | 'waiting'
      | 'waits',
      string
    >
  >;
  readonly errors: (median: string, most: string) => string;
  readonly conditions: (dark: string, crowded: string, empty: string) => string;
  readonly agree: (percent: string) => string;
  readonly old: Readonly<Record<'view_changed' | 'zones_changed', string>>;
  readonly method: Readonly<Record<'stills' | 'times', string>>;
  readonly nobody: string;
}

const ENGLISH: ReportWords = {
  title: (camera) => `Check of ${camera}`,
  stills: (percent, range, moments) =>
    `Counts within one person in ${percent} (${range}) of ${moments} moments`,
  good: (people) => `: good enough for alerts at ${people} or more.`,
  goodForNone: ': not good enough for alerts on the number of people.',
  times: (percent, range, visits) => `Counts ${percent} (${range}) of ${visits} visits right.`,
  nothing: 'Nobody has checked anything.',
  rows: {
    camera: 'Camera',
    time: 'Time of the pictures',
    by: 'Checked by',
    waiting: 'Waiting',
    served: 'Being served',
    exact: 'exact',
    bias: 'people too many on average',
    lengthError: 'error of the number of people',
    waits: 'Waits',
    serviceTime: 'Services',
    agreement: 'Several checkers',
    conditions: 'Conditions',
    method: 'Method',
    old: 'Old',
  },
  errors: (median, most) => `half of them differ by at most ${median}, nine tenths by ${most}`,
  conditions: (dark, crowded, empty) =>
    `dark in ${dark} of the time, six people or more in ${crowded}, nobody in ${empty}`,
  agree: (percent) => `they agree on ${percent}`,
  old: {
    view_changed: 'the view of the camera has changed since',
    zones_changed: 'the zones have changed since',
  },
  method: {
    stills:
      'people counted on pictures of random moments without seeing our counts; ranges of 95 % by Wilson and bootstrap',
    times:
      'people marked on a film when each person joined, began to be served and left; ranges of 95 % by bootstrap',
  },
  nobody: 'not told',
};

const GERMAN: ReportWords = {
  title: (camera) => `Prüfung von ${camera}`,
  stills: (percent, range, moments) =>
    `Zählt in ${percent} (${range}) von ${moments} Momenten auf eine Person genau`,
  good: (people) => `: gut genug für Alarme ab ${people}.`,
  goodForNone: ': nicht gut genug für Alarme auf die Zahl der Personen.',
  times: (percent, range, visits) => `Zählt ${percent} (${range}) von ${visits} Besuchen richtig.`,
  nothing: 'Niemand hat etwas geprüft.',
  rows: {
    camera: 'Kamera',
    time: 'Zeit der Bilder',
    by: 'Geprüft von',
    waiting: 'Wartend',
    served: 'Bedient',
    exact: 'genau',
    bias: 'Personen zu viel im Mittel',
    lengthError: 'Fehler der Personenzahl',
    waits: 'Wartezeiten',
    serviceTime: 'Bedienungen',
    agreement: 'Mehrere Prüfende',
    conditions: 'Bedingungen',
    method: 'Verfahren',
    old: 'Veraltet',
  },
  errors: (median, most) => `die Hälfte weicht höchstens ${median} ab, neun Zehntel höchstens ${most}`,
  conditions: (dark, crowded, empty) =>
    `dunkel in ${dark} der Zeit, sechs Personen oder mehr in ${crowded}, niemand in ${empty}`,
  agree: (percent) => `sie stimmen bei ${percent} überein`,
  old: {
    view_changed: 'der Blick der Kamera hat sich seither geändert',
    zones_changed: 'die Zonen haben sich seither geändert',
  },
  method: {
    stills:
      'Personen zählten auf Bildern zufälliger Momente, ohne unsere Zahlen zu sehen; Spannen von 95 % nach Wilson und Bootstrap',
    times:
      'Personen hielten am Film fest, wann jede Person kam, bedient wurde und ging; Spannen von 95 % nach Bootstrap',
  },
  nobody: 'nicht angegeben',
};

/** English where there are no words in the language. */
export const wordsFor = (locale: string | null): ReportWords => (locale?.startsWith('de') ? GERMAN : ENGLISH);
