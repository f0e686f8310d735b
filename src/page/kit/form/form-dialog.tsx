import { type ReactNode, useId } from 'react';
import { useText } from '../../text/text.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import type { IconName } from '../icon.tsx';
import { FormFailure } from '../states.tsx';

interface FormDialogProps {
  readonly title: string;
  readonly isWide?: boolean;
  readonly onClose: () => void;
  /** Button before the one that sends; else it cancels. */
  readonly before?: ReactNode;
  /** The words of the button that sends. */
  readonly submit: string;
  readonly kind?: 'main' | 'danger';
  readonly icon?: IconName;
  /** Of `useAction`. */
  readonly action: { readonly isPending: boolean; readonly error: Error | null };
  readonly isIncomplete?: boolean;
  /** The page says itself what is wrong with a field. */
  readonly noValidate?: boolean;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A dialog with one form, whose failure and buttons stand at the end. */
export function FormDialog({
  title,
  isWide = false,
  onClose,
  before,
  submit,
  kind = 'main',
  icon,
  action,
  isIncomplete = false,
  noValidate = false,
  onSubmit,
  children,
}: FormDialogProps) {
  const common = useText('common');
  const formId = useId();
  return (
    <Dialog
      title={title}
      isWide={isWide}
      onClose={onClose}
      actions={
        <>
          {before === undefined ? <Button onClick={onClose}>{common.cancel}</Button> : before}
          <Button
            kind={kind}
            {...(icon && { icon })}
            type="submit"
            form={formId}
            isBusy={action.isPending}
            disabled={isIncomplete}
          >
            {submit}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="stack"
        noValidate={noValidate}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        <FormFailure error={action.error} />
      </form>
    </Dialog>
  );
}
