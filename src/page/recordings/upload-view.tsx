import { errorText } from '../api/error-text.ts';
import { useStore } from '../api/store.ts';
import { Button, LinkButton } from '../kit/button.tsx';
import { bytes, duration } from '../kit/numbers.ts';
import { Tile } from '../kit/tile.tsx';
import { localeNow, useText } from '../text/text.ts';
import { Progress } from './progress.tsx';
import { transferOf } from './transfer.ts';
import { cancelUpload, forgetUpload, repeatUpload, type Upload, upload } from './upload.ts';
import { failureText } from './upload-failure.ts';
import { Warnings } from './warnings.tsx';

/** What became of the upload of this page; nothing while there is none. */
export function UploadView() {
  const t = useText('recordings');
  const common = useText('common');
  const now = useStore(upload);
  if (now.kind === 'none') return null;
  if (now.kind === 'sending') return <Sending now={now} />;
  if (now.kind === 'done') {
    return (
      <Tile tone="good">
        <p>
          <strong>{now.recording.name}</strong> · {t.uploadDone}
        </p>
        <Warnings recording={now.recording} />
        <div className="buttons">
          <Button onClick={forgetUpload}>{common.close}</Button>
          <LinkButton kind="main" href={`#/recordings/${now.recording.id}`}>
            {t.openIt}
          </LinkButton>
        </div>
      </Tile>
    );
  }
  return (
    <Tile tone="bad">
      <div role="alert">
        <p>
          <strong>
            {t.uploadFailed}: {now.name}
          </strong>
        </p>
        <p>{failureText(now.error, t, localeNow()) ?? errorText(now.error)}</p>
      </div>
      <div className="buttons">
        <Button onClick={forgetUpload}>{common.close}</Button>
        <Button kind="main" icon="upload" onClick={repeatUpload}>
          {t.uploadAgain}
        </Button>
      </div>
    </Tile>
  );
}

function Sending({ now }: { readonly now: Extract<Upload, { kind: 'sending' }> }) {
  const t = useText('recordings');
  const locale = localeNow();
  const { percent, bytesPerSecond, secondsLeft } = transferOf(now.samples, now.totalBytes);
  const sent = now.samples.at(-1)?.bytes ?? 0;
  return (
    <Tile tone="info">
      <p>
        <strong>{t.sending(now.name)}</strong>
      </p>
      <Progress percent={percent} label={t.sending(now.name)} />
      <p className="note">
        {percent === 100 ? (
          t.storing
        ) : (
          <>
            {t.sent(bytes(sent, locale), bytes(now.totalBytes, locale))}
            {bytesPerSecond !== null && ` · ${t.speed(bytes(bytesPerSecond, locale))}`}
            {secondsLeft !== null && ` · ${t.left(duration(secondsLeft, locale))}`}
          </>
        )}
      </p>
      <p className="note">{t.keepOpen}</p>
      <div className="buttons">
        <Button onClick={cancelUpload}>{t.cancelUpload}</Button>
      </div>
    </Tile>
  );
}
