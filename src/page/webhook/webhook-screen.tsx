import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { OR_NOTHING, readOrNull } from '../api/query.ts';
import { Can } from '../api/session.tsx';
import { Button } from '../kit/button.tsx';
import { Page } from '../kit/page.tsx';
import { Async, Empty } from '../kit/states.tsx';
import { useText } from '../text/text.ts';
import { Deliveries } from './deliveries.tsx';
import { Health } from './health.tsx';
import { Secret } from './secret.tsx';
import { Statistics } from './statistics.tsx';
import { REFRESH_MS, WEBHOOK_KEY, type Webhook } from './use-webhook.ts';
import { WebhookForm } from './webhook-form.tsx';

export default function WebhookScreen() {
  const t = useText('webhook');
  const [isOpen, setOpen] = useState(false);
  const query = useQuery<Webhook | null, Error>({
    queryKey: [WEBHOOK_KEY, 'configuration'],
    queryFn: () => readOrNull(api.GET('/users/me/webhook', OR_NOTHING)),
    refetchInterval: REFRESH_MS,
  });
  const webhook = query.data ?? undefined;
  const isNone = query.data === null;
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        webhook && (
          <Can scope="webhook:write">
            <Button icon="edit" onClick={() => setOpen(true)}>
              {t.change}
            </Button>
          </Can>
        )
      }
    >
      {isNone ? (
        <Empty
          icon="webhook"
          title={t.none}
          action={
            <Can scope="webhook:write">
              <Button kind="main" onClick={() => setOpen(true)}>
                {t.setUp}
              </Button>
            </Can>
          }
        >
          {t.noneHint}
        </Empty>
      ) : (
        <Async query={query}>
          {(shown) =>
            shown && (
              <div className="stack">
                <Health webhook={shown} />
                <Statistics />
                <Deliveries webhook={shown} />
                <Can scope="webhook:write">
                  <Secret webhook={shown} />
                </Can>
              </div>
            )
          }
        </Async>
      )}
      {isOpen && <WebhookForm webhook={webhook ?? undefined} onClose={() => setOpen(false)} />}
    </Page>
  );
}
