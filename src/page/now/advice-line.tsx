import { adviceSentence } from '../../catalogue/advice/advice-words.ts';
import { unusualSentence } from '../../catalogue/advice/unusual-words.ts';
import type { LiveScene } from '../api/live-scenes.ts';
import { browserZone } from '../kit/time.ts';
import { languageNow } from '../text/text.ts';

/** What is not as usual, and what to do with the tills, in the local time of the camera. Few scenes need it. */
export default function AdviceLine({ scene }: { readonly scene: LiveScene }) {
  const { advice, unusual, device } = scene;
  const timezone = device.timezone ?? browserZone();
  return (
    <>
      {unusual && <p className="note short">{unusualSentence(unusual, languageNow(), timezone)}</p>}
      {advice && <p className="note short">{adviceSentence(advice, languageNow(), timezone)}</p>}
    </>
  );
}
