import { type DragEvent, useRef, useState } from 'react';
import { Button } from '../kit/button.tsx';
import { Icon } from '../kit/icon.tsx';
import { useText } from '../text/text.ts';
import { type FileFault, fileFault } from './recorded-time.ts';
import styles from './recordings.module.css';

/** A place to drop a video file, with a button for everybody who does not drop. */
export function ChooseFile({ onChoose }: { readonly onChoose: (file: File) => void }) {
  const t = useText('recordings');
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const [fault, setFault] = useState<FileFault | null>(null);
  const choose = (file: File | null | undefined) => {
    if (!file) return;
    const found = fileFault(file);
    setFault(found);
    if (found === null) onChoose(file);
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same
    <div
      className={`${styles.drop} ${isOver ? styles.over : ''}`}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        choose(event.dataTransfer.files[0]);
      }}
    >
      <Icon name="upload" size={32} />
      <p>
        <strong>{t.drop}</strong>
      </p>
      <p className="note">{t.formats}</p>
      <Button kind="main" onClick={() => input.current?.click()}>
        {t.choose}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t.choose}
        accept="video/*,.mp4,.m4v,.mov,.mkv,.webm,.avi,.mpg,.mpeg,.vob,.ps,.ts,.mts,.m2ts"
        onChange={(event) => {
          choose(event.target.files?.[0]);
          // The same file can be chosen again.
          event.target.value = '';
        }}
      />
      {fault !== null && (
        <p role="alert" className="fault">
          {t.fileFaults[fault]}
        </p>
      )}
    </div>
  );
}
