import { useText } from '../text/text.ts';
import { FEATURES } from './meters.ts';

/** What is metered, to choose from. */
export function FeatureOptions() {
  const t = useText('usage');
  return FEATURES.map((known) => (
    <option key={known} value={known}>
      {t.features[known]}
    </option>
  ));
}
