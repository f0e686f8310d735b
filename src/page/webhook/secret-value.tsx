import { useState } from 'react';
import { Button } from '../kit/button.tsx';
import { useText } from '../text/text.ts';
import styles from './webhook.module.css';

/** A text to copy. Pages of plain http have no clipboard: there people select it. */
export function SecretValue({ secret }: { readonly secret: string }) {
  const t = useText('webhook');
  const common = useText('common');
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    setCopied(true);
  };
  return (
    <p className={`row ${styles.secret}`}>
      <code>{secret}</code>
      {navigator.clipboard && (
        <Button icon="copy" onClick={() => void copy().catch(() => setCopied(false))}>
          {isCopied ? common.copied : t.copy}
        </Button>
      )}
    </p>
  );
}
