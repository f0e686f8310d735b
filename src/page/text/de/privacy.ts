import type { ActionGroup, AuditAction, AuditFacts } from '../../privacy/audit-facts.ts';
import type { privacy as en } from '../en/privacy.ts';

const named = (what: string, name: string | null) => (name === null ? what : `${what} „${name}“`);
const METHODS: Readonly<Record<string, string>> = {
  password: 'mit Passwort',
  code: 'mit Einmalcode',
  key: 'mit API-Schlüssel',
};
const FIELDS: Readonly<Record<string, string>> = { name: 'Name', timezone: 'Zeitzone', locale: 'Sprache' };
const BLUR: Readonly<Record<string, string>> = {
  none: 'nichts',
  faces: 'Gesichter',
  bodies: 'ganze Personen',
};
const FEATURES: Readonly<Record<string, string>> = {
  analysis: 'Analyse (Sekunden)',
  alert: 'Alarme',
  attribute: 'Merkmalsdatensätze',
  vlm: 'Token des Sprachmodells',
};
const GROUPS: Readonly<Record<string, string>> = { gender: 'Geschlecht', age: 'Alter' };
const limit = ([feature, value]: readonly [string, string | null]) =>
  `${FEATURES[feature] ?? feature}: ${value ?? 'unbegrenzt'}`;
const ranged = (what: string, { deviceCount }: AuditFacts) =>
  deviceCount === 0
    ? `${what} für alle Kameras angefordert`
    : `${what} für ${deviceCount} Kamera${deviceCount === 1 ? '' : 's'} angefordert`;
const channel = ({ kind, address }: AuditFacts) =>
  kind === 'push' ? 'Browser' : (address ?? 'E-Mail-Adresse');

const actions: Readonly<Record<AuditAction, (facts: AuditFacts) => string>> = {
  signed_in: ({ method, kind, label }) =>
    `${kind === 'screen' ? named('Bildschirm angemeldet', label) : 'Angemeldet'}${method ? ` ${METHODS[method] ?? ''}` : ''}`.trim(),
  sign_in_failed: () => 'Anmeldung mit falschem Passwort versucht',
  signed_out: () => 'Abgemeldet',
  session_revoked: ({ label }) => named('Sitzung beendet', label),
  login_code_created: ({ kind, role, label }) =>
    `${named(`Einmalcode für ${kind === 'screen' ? 'einen Bildschirm' : 'eine Person'} erstellt`, label)}${role ? `, Rolle ${role}` : ''}`,
  password_changed: () => 'Passwort gesetzt',
  account_changed: ({ fields }) =>
    `Konto geändert: ${fields.map((field) => FIELDS[field] ?? field).join(', ') || 'Einstellungen'}`,
  user_created: ({ isAdmin }) => (isAdmin ? 'Benutzer als Administrator angelegt' : 'Benutzer angelegt'),
  administrator_created: () => 'Ersten Administrator angelegt',
  administrator_granted: () => 'Benutzer zum Administrator gemacht',
  networks_changed: ({ networks }) =>
    networks.length > 0 ? `Netze der Kameras gesetzt: ${networks.join(', ')}` : 'Netze der Kameras entfernt',
  quota_changed: ({ limits, reason }) =>
    `${['Grenzen geändert', limits.map(limit).join(', ')].filter(Boolean).join(': ')}${reason ? ` (${reason})` : ''}`,
  device_disabled: ({ reason }) => `Kamera gesperrt${reason ? ` (${reason})` : ''}`,
  device_enabled: ({ reason }) => `Kamera freigegeben${reason ? ` (${reason})` : ''}`,
  compute_node_drained: ({ name }) => named('Knoten nimmt keine weiteren Kameras an:', name),
  compute_node_resumed: ({ name }) => named('Knoten nimmt wieder Kameras an:', name),
  api_key_created: ({ name }) => named('API-Schlüssel erstellt:', name),
  api_key_revoked: ({ keys }) => (keys > 1 ? `${keys} API-Schlüssel widerrufen` : 'API-Schlüssel widerrufen'),
  masks_changed: ({ polygons }) =>
    polygons === 0 ? 'Schwärzungen entfernt' : `Schwärzungen geändert: ${polygons}`,
  blur_people_changed: ({ to }) =>
    `Festgelegt, was Bilder von Personen verbergen: ${BLUR[to ?? ''] ?? to ?? '–'}`,
  attribute_groups_changed: ({ groups }) =>
    groups.length > 0
      ? `Festgelegt, was von Personen geschätzt wird: ${groups.map((group) => GROUPS[group] ?? group).join(', ')}`
      : 'Das Schätzen von Geschlecht und Alter ausgeschaltet',
  recording_deleted: ({ name }) => named('Aufnahme gelöscht:', name),
  check_started: () => 'Prüfung einer Kamera begonnen',
  check_finished: () => 'Prüfung beendet, ihre Bilder gelöscht',
  check_deleted: () => 'Prüfung mit ihren Bildern gelöscht',
  pictures_viewed: () => 'Bilder einer Kamera angesehen',
  image_viewed: () => 'Gespeichertes Bild geöffnet',
  export_requested: (facts) => ranged('Export', facts),
  export_completed: ({ rows }) => `Export mit ${rows} Einträgen fertiggestellt`,
  export_downloaded: () => 'Export heruntergeladen',
  export_cancelled: () => 'Export abgebrochen oder entfernt',
  erasure_requested: (facts) => ranged('Löschung', facts),
  erasure_completed: ({ rows }) => `Löschung von ${rows} Einträgen abgeschlossen`,
  erasure_cancelled: () => 'Löschung vor ihrem Beginn abgebrochen',
  notification_channel_created: (facts) => `${channel(facts)} für Benachrichtigungen angemeldet`,
  notification_channel_confirmed: (facts) => `${channel(facts)} für Benachrichtigungen bestätigt`,
  notification_channel_removed: (facts) => `${channel(facts)} aus den Benachrichtigungen entfernt`,
};

const groups: Readonly<Record<ActionGroup, string>> = {
  signIn: 'Anmeldung',
  account: 'Konto',
  keys: 'API-Schlüssel',
  pictures: 'Bilder und Datenschutz',
  data: 'Exporte und Löschungen',
  operation: 'Betreiber',
  notifications: 'Benachrichtigungen',
};

const names: Readonly<Record<AuditAction, string>> = {
  signed_in: 'Anmeldung',
  sign_in_failed: 'Fehlgeschlagene Anmeldung',
  signed_out: 'Abmeldung',
  session_revoked: 'Sitzung beendet',
  login_code_created: 'Einmalcode erstellt',
  password_changed: 'Passwort gesetzt',
  account_changed: 'Konto geändert',
  user_created: 'Benutzer angelegt',
  administrator_created: 'Erster Administrator angelegt',
  administrator_granted: 'Administrator ernannt',
  networks_changed: 'Netze der Kameras gesetzt',
  quota_changed: 'Grenzen geändert',
  device_disabled: 'Kamera gesperrt',
  device_enabled: 'Kamera freigegeben',
  compute_node_drained: 'Knoten angehalten',
  compute_node_resumed: 'Knoten wieder freigegeben',
  api_key_created: 'API-Schlüssel erstellt',
  api_key_revoked: 'API-Schlüssel widerrufen',
  masks_changed: 'Schwärzungen geändert',
  blur_people_changed: 'Verbergen von Personen geändert',
  attribute_groups_changed: 'Schätzen von Geschlecht oder Alter umgeschaltet',
  recording_deleted: 'Aufnahme gelöscht',
  check_started: 'Prüfung begonnen',
  check_finished: 'Prüfung beendet',
  check_deleted: 'Prüfung gelöscht',
  pictures_viewed: 'Bilder angesehen',
  image_viewed: 'Bild geöffnet',
  export_requested: 'Export angefordert',
  export_completed: 'Export fertig',
  export_downloaded: 'Export heruntergeladen',
  export_cancelled: 'Export abgebrochen',
  erasure_requested: 'Löschung angefordert',
  erasure_completed: 'Löschung abgeschlossen',
  erasure_cancelled: 'Löschung abgebrochen',
  notification_channel_created: 'Kanal angemeldet',
  notification_channel_confirmed: 'Kanal bestätigt',
  notification_channel_removed: 'Kanal entfernt',
};

const audit: (typeof en)['audit'] = {
  title: 'Protokoll',
  hint: 'Wer was mit diesem Konto getan und wer seine Bilder angesehen hat. Niemand kann einen Eintrag ändern.',
  allHint: 'Wer was mit einem Konto dieser Installation getan hat.',
  empty: 'Kein Eintrag passt.',
  emptyNext: 'Wählen Sie einen anderen Zeitraum oder alle Aktionen.',
  actions,
  names,
  groups,
  unknownAction: (action) => action.replaceAll('_', ' '),
  actors: {
    session: 'Eine angemeldete Person',
    key: 'Ein API-Schlüssel',
    administrator: 'Ein Administrator',
    address: 'Jemand ohne Anmeldung',
    operator: 'Der Betreiber, auf der Kommandozeile',
    system: 'Der Dienst selbst',
  },
  from: (address) => `von ${address}`,
  filterAction: 'Aktion',
  everyAction: 'Alle Aktionen',
  filterFrom: 'Von',
  filterTo: 'Bis',
  filterUser: 'Benutzer',
  everyUser: 'Alle Benutzer',
  account: 'Konto',
  clear: 'Filter zurücksetzen',
  more: 'Ältere Einträge zeigen',
  csv: 'Als CSV herunterladen',
  thisSession: 'Diese Sitzung',
  sessionOf: (name) => `Sitzung „${name}“`,
  keyOf: (name) => `API-Schlüssel „${name}“`,
  time: 'Zeit',
  what: 'Was',
  who: 'Wer',
};

/** The texts of audit log, exports, erasures and privacy. */
export const privacy: typeof en = {
  title: 'Datenschutz',
  tabs: { data: 'Export und Löschung', pictures: 'Personen in Bildern', audit: 'Protokoll' },
  audit,
  export: {
    title: 'Daten mitnehmen',
    hint: 'Eine Zip-Datei mit allen Zahlen, Alarmen, Bildern und Aufnahmen eines Zeitraums. Sie entsteht im Hintergrund und wird sieben Tage aufbewahrt.',
    start: 'Datei vorbereiten',
    download: 'Herunterladen',
    remove: 'Datei entfernen',
    cancel: 'Abbrechen',
    empty: 'Noch kein Export',
    keptUntil: 'aufbewahrt bis',
    gone: 'Die Datei wurde entfernt',
    heading: 'Exporte',
  },
  erasure: {
    title: 'Einen Zeitraum endgültig löschen',
    hint: 'Zahlen, Laufwege, Alarme mit ihren Bildern und Aufnahmen dieser Zeit werden entfernt. Nichts bringt sie zurück. Abrechnung und Protokoll bleiben.',
    start: 'Löschen …',
    cancel: 'Löschung abbrechen',
    empty: 'Noch keine Löschung',
    heading: 'Löschungen',
    confirmTitle: 'Endgültig löschen?',
    confirmText: (from, to) => `Alles von ${from} bis ${to} wird gelöscht.`,
    confirmDevices: (count) =>
      count === 0
        ? 'Das gilt für alle Kameras und Aufnahmen.'
        : `Das gilt für ${count} ${count === 1 ? 'Kamera' : 'Kameras'}.`,
    confirmPauses: 'Diese Kameras zählen vielleicht einige Sekunden lang nicht.',
    word: 'LÖSCHEN',
    typeWord: (word) => `Zur Bestätigung ${word} eingeben`,
    wrongWord: (word) => `Geben Sie das Wort ${word} in Großbuchstaben ein.`,
    confirm: 'Endgültig löschen',
  },
  range: {
    from: 'Von',
    to: 'Bis',
    toHint: (zone) => `Nicht eingeschlossen. Zeiten in ${zone}.`,
    devices: 'Kameras',
    everyDevice: 'Alle Kameras und Aufnahmen',
    chosen: 'Nur diese Kameras',
    missing: 'Wählen Sie Datum und Uhrzeit.',
    order: 'Das Ende muss nach dem Anfang liegen.',
    future: 'Das Ende darf nicht in der Zukunft liegen.',
    noDevice: 'Wählen Sie mindestens eine Kamera oder alle.',
    lastDay: 'Gestern',
    lastWeek: 'Letzte 7 Tage',
    lastMonth: 'Letzte 30 Tage',
  },
  job: {
    status: {
      queued: 'wartet',
      running: 'läuft',
      completed: 'fertig',
      failed: 'fehlgeschlagen',
      cancelled: 'abgebrochen',
    },
    devices: (count) => (count === 0 ? 'alle Kameras' : `${count} ${count === 1 ? 'Kamera' : 'Kameras'}`),
    progress: (percent) => `${percent} %`,
    progressLabel: 'Fortschritt',
    rows: (count) => `${count} Einträge`,
    triedAgain: 'Der letzte Versuch ist fehlgeschlagen. Er wird wiederholt.',
  },
  blur: {
    title: 'Was Bilder von Personen verbergen',
    hint: 'Es gilt für jedes Bild, das ab jetzt gespeichert oder gezeigt wird. Der Dienst verbirgt, wen er erkennt. Er findet nicht jeden, daher ist das keine Garantie.',
    choices: {
      none: { title: 'Nichts', text: 'Personen erscheinen, wie die Kamera sie sieht.' },
      faces: { title: 'Gesichter', text: 'Der obere Teil jeder erkannten Person wird verborgen.' },
      bodies: { title: 'Ganze Personen', text: 'Jede erkannte Person wird ganz verborgen.' },
    },
    saved: 'Gespeichert. Es gilt für das nächste Bild.',
  },
  sensitive: {
    title: 'Geschlecht und Alter von Personen',
    account:
      'Kameras, die Menschen beschreiben, schätzen beides nach dem Gesicht. Was ausgeschaltet ist, wird an keiner Kamera des Kontos geschätzt oder gespeichert. Was vorher gespeichert wurde, bleibt, bis Sie es löschen.',
    camera:
      'Was ausgeschaltet ist, wird an dieser Kamera weder geschätzt noch gespeichert. Es muss auch für das Konto eingeschaltet sein.',
    recording:
      'Was ausgeschaltet ist, wird bei der nächsten Auswertung dieser Aufnahme weder geschätzt noch gespeichert. Es muss auch für das Konto eingeschaltet sein.',
    groups: { gender: 'Geschlecht schätzen', age: 'Alter schätzen' },
    saved: 'Gespeichert. Es gilt nach wenigen Sekunden.',
  },
};
