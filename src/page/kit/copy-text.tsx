import { useRef, useState } from 'react';
import { useText } from '../text/text.ts';
import { Button } from './button.tsx';
import styles from './copy-text.module.css';

interface CopyTextProps {
  readonly text: string;
  /** What it is, for screen readers. */
  readonly label: string;
}

/** A text with a button that copies it. Pages of plain http have no clipboard: there the browser copies what is selected. */
export function CopyText({ text, label }: CopyTextProps) {
  const t = useText('keys');
  const common = useText('common');
  const field = useRef<HTMLTextAreaElement>(null);
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  const copy = async () => {
    field.current?.select();
    setOutcome((await copied(text)) ? 'copied' : 'failed');
  };
  return (
    <div className={styles.copy}>
      <textarea
        className="control-box"
        ref={field}
        readOnly
        rows={2}
        aria-label={label}
        value={text}
        onFocus={(event) => event.target.select()}
      />
      <Button icon={outcome === 'copied' ? 'check' : 'copy'} onClick={() => void copy()}>
        {outcome === 'copied' ? common.copied : common.copy}
      </Button>
      <p role="status">{outcome === 'failed' && t.copyByHand}</p>
    </div>
  );
}

async function copied(text: string): Promise<boolean> {
  try {
    if (!navigator.clipboard) return document.execCommand('copy');
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
