import type { shell as en } from '../../en/shared/shell.ts';

export const shell: typeof en = {
  product: 'Warteschlangen',
  skip: 'Zum Inhalt springen',
  navigation: 'Hauptnavigation',
  more: 'Mehr',
  signOut: 'Abmelden',
  signedInAs: (who) => `Angemeldet als ${who}`,
  viewer: 'Nur ansehen',
  offline:
    'Keine Verbindung zum Dienst. Die Zahlen können alt sein; die Seite versucht es von selbst erneut.',
  back: 'Die Verbindung ist wieder da.',
  newVersion: 'Der Dienst wurde aktualisiert.',
  reload: 'Neue Seite laden',
  announcement: 'Mitteilung',
  dismiss: 'Ausblenden',
  sessionEnded: 'Ihre Sitzung ist beendet',
  sessionEndedText: 'Melden Sie sich wieder an, um fortzufahren. Ihre Eingaben bleiben erhalten.',
  notFound: 'Diese Seite gibt es nicht',
  toNow: 'Zu Jetzt',
  broken: 'In dieser Ansicht ist etwas schiefgegangen',
};
