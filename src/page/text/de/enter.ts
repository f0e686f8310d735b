import type { enter as en } from '../en/enter.ts';

export const enter: typeof en = {
  title: 'Anmelden',
  withPassword: 'Passwort',
  withKey: 'API-Schlüssel',
  withCode: 'Code',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  apiKey: 'API-Schlüssel',
  code: 'Code',
  codeHint:
    'Aus einem Link, einem QR-Code oder dem Terminal des Dienstes. Er gilt einmal, fünf Minuten lang.',
  submit: 'Anmelden',
  checkingCode: 'Anmeldung mit dem Code …',
  setupTitle: 'Erstes Verwaltungskonto anlegen',
  setupText: 'Diesen Dienst benutzt noch niemand. Das Terminal der API zeigt den Einrichtungscode.',
  setupCode: 'Einrichtungscode',
  newPassword: 'Neues Passwort',
  newPasswordHint: 'Mindestens 10 Zeichen; mehrere Wörter merkt man sich leicht.',
  name: 'Ihr Name',
  goOn: 'Weiter wie bisher',
  create: 'Anlegen und anmelden',
};
