import type { errors as en } from '../../en/shared/errors.ts';

export const errors: typeof en = {
  NETWORK: 'Der Dienst ist nicht erreichbar. Prüfen Sie das Netz und versuchen Sie es erneut.',
  SERVICE_UNAVAILABLE: 'Der Dienst ist gerade nicht verfügbar. Versuchen Sie es gleich noch einmal.',
  INTERNAL_ERROR: 'Im Dienst ist ein Fehler aufgetreten. Versuchen Sie es erneut; sonst hilft der Betreiber.',
};
