import { Page } from '../kit/page.tsx';
import { Empty } from '../kit/states.tsx';
import { useText } from '../text/text.ts';

export default function WebhookScreen() {
  const t = useText('webhook');
  const common = useText('common');
  return (
    <Page title={t.title}>
      <Empty title={common.comingSoon} />
    </Page>
  );
}
