import { connection } from '../api/connection.ts';
import { useStore } from '../api/store.ts';
import { SignInForm } from '../enter/sign-in-form.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { useText } from '../text/text.ts';

/** When a session has ended: the login over the page, so that what was typed below stays. */
export function LoginOverPage() {
  const t = useText('shell');
  const { hasEnded } = useStore(connection);
  if (!hasEnded) return null;
  return (
    <Dialog title={t.sessionEnded} isFixed onClose={() => undefined}>
      <p>{t.sessionEndedText}</p>
      <SignInForm />
    </Dialog>
  );
}
