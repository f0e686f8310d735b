import type { ReactNode } from 'react';
import { useText } from '../../text/text.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { FormFailure } from '../states.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** The words of the button that does it. */
  readonly confirm: string;
  /** `main` for what can be undone. */
  readonly kind?: 'danger' | 'main';
  /** Of `useAction`. */
  readonly action: {
    readonly isPending: boolean;
    readonly error: Error | null;
    readonly mutate: (input: undefined) => void;
  };
  readonly onClose: () => void;
  /** What will happen. */
  readonly children: ReactNode;
}

/** Asks before an action. The dialog stays open while the action runs, and shows why it failed. */
export function ConfirmDialog({
  title,
  confirm,
  kind = 'danger',
  action,
  onClose,
  children,
}: ConfirmDialogProps) {
  const common = useText('common');
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind={kind} isBusy={action.isPending} onClick={() => action.mutate(undefined)}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      <FormFailure error={action.error} />
    </Dialog>
  );
}
