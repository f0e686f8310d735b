import { Page } from '../kit/page.tsx';
import { Empty } from '../kit/states.tsx';
import { useText } from '../text/text.ts';

export default function RulesScreen() {
  const t = useText('rules');
  const common = useText('common');
  return (
    <Page title={t.title}>
      <Empty title={common.comingSoon} />
    </Page>
  );
}
