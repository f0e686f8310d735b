import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { Redirect, Route, Router, Switch, useLocation, useSearch } from 'wouter';
import { ApiFailure } from './api/client.ts';
import { onGap, startLive } from './api/live-store.ts';
import { queryClient } from './api/query.ts';
import { SessionContext, sessionOf, useSession } from './api/session.tsx';
import { EnterScreen } from './enter/enter-screen.tsx';
import { type Link, linkOf } from './enter/link.ts';
import { SESSION_QUERY } from './enter/sign-in.ts';
import { LinkButton } from './kit/button.tsx';
import { Empty, Failure, Skeleton } from './kit/states.tsx';
import NowScreen from './now/now-screen.tsx';
import { ErrorFence } from './shell/error-fence.tsx';
import { LoginOverPage } from './shell/login-over-page.tsx';
import { newVersion, reloadOnce, watchVersion } from './shell/new-version.ts';
import { goTo, usePlace, usePlaceQuery } from './shell/place.ts';
import { Shell } from './shell/shell.tsx';
import { loadLanguage, preferredLanguage, useText } from './text/text.ts';

const AdminScreen = lazy(() => import('./admin/admin-screen.tsx'));
const CamerasScreen = lazy(() => import('./cameras/cameras-screen.tsx'));
const DisplayScreen = lazy(() => import('./display/display-screen.tsx'));
const FeedScreen = lazy(() => import('./feed/feed-screen.tsx'));
const HistoryScreen = lazy(() => import('./history/history-screen.tsx'));
const KeysScreen = lazy(() => import('./keys/keys-screen.tsx'));
const NotifyScreen = lazy(() => import('./notify/notify-screen.tsx'));
const PrivacyScreen = lazy(() => import('./privacy/privacy-screen.tsx'));
const RecordingsScreen = lazy(() => import('./recordings/recordings-screen.tsx'));
const RulesScreen = lazy(() => import('./rules/rules-screen.tsx'));
const SceneScreen = lazy(() => import('./scene/scene-screen.tsx'));
const UsageScreen = lazy(() => import('./usage/usage-screen.tsx'));
const WallScreen = lazy(() => import('./wall/wall-screen.tsx'));
const WebhookScreen = lazy(() => import('./webhook/webhook-screen.tsx'));

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Router hook={usePlace} searchHook={usePlaceQuery}>
        <SignedInOrNot />
      </Router>
    </QueryClientProvider>
  );
}

/** The link by which the page was opened. Its code leaves the address at once, so that it stays in no history. */
function useLink(): [Link | null, (link: Link | null) => void] {
  const query = useSearch();
  const [place] = useLocation();
  const [link, setLink] = useState<Link | null>(null);
  const read = linkOf(place, query);
  useEffect(() => {
    if (read.code === null) return;
    setLink(read);
    goTo(read.to, { replace: true });
  });
  return [link ?? (read.code === null ? null : read), setLink];
}

function SignedInOrNot() {
  const [link, setLink] = useLink();
  const [hasFailed, setFailed] = useState(false);
  // A link that signs in begins a session: who was signed in before matters only where it fails.
  const signsIn = Boolean(link?.code) && !link?.isSetup && !hasFailed;
  const who = useQuery({ ...SESSION_QUERY, staleTime: Number.POSITIVE_INFINITY, enabled: !signsIn });
  const session = useMemo(() => (who.data ? sessionOf(who.data) : undefined), [who.data]);
  const locale = session?.user.locale ?? null;
  useEffect(() => {
    if (session) void loadLanguage(preferredLanguage(locale));
  }, [session, locale]);
  if (session && link === null) {
    return (
      <SessionContext value={session}>
        <Screens />
        <LoginOverPage />
      </SessionContext>
    );
  }
  const isNobody = who.data === null || (who.error instanceof ApiFailure && who.error.status === 401);
  if (session || link !== null || isNobody) {
    return (
      <EnterScreen
        code={link?.code ?? null}
        signsIn={signsIn}
        isSignedIn={session !== undefined}
        onDone={() => setLink(null)}
        onFail={() => setFailed(true)}
      />
    );
  }
  if (who.error) return <Failure error={who.error} onRetry={() => void who.refetch()} />;
  return <Skeleton lines={4} />;
}

/** A screen gets everything below its place: `/cameras/new` and `/cameras/ID/zones` belong to Cameras. */
function Screens() {
  const [place] = useLocation();
  useEffect(() => {
    const ends = [startLive(), onGap(() => void queryClient.invalidateQueries()), watchVersion(onGap)];
    return () => {
      for (const end of ends) end();
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new place is where nothing typed is lost
  useEffect(() => {
    if (newVersion.get()) reloadOnce('version');
  }, [place]);
  const { session } = useSession();
  if (place === '/' && session?.kind === 'screen') return <Redirect to="/wall" replace />;
  const isDisplay = place === '/display' || place.startsWith('/display/');
  if (place === '/wall' || isDisplay) {
    return (
      <Suspense fallback={<Skeleton />}>
        {isDisplay ? <Route path="/display/*?" component={DisplayScreen} /> : <WallScreen />}
      </Suspense>
    );
  }
  return (
    <Shell>
      <ErrorFence place={place}>
        <Suspense fallback={<Skeleton lines={4} />}>
          <Switch>
            <Route path="/" component={NowScreen} />
            <Route path="/scenes/*?" component={SceneScreen} />
            <Route path="/history/*?" component={HistoryScreen} />
            <Route path="/reports/*?" component={HistoryScreen} />
            <Route path="/feed/*?" component={FeedScreen} />
            <Route path="/rules/*?" component={RulesScreen} />
            <Route path="/cameras/*?" component={CamerasScreen} />
            <Route path="/devices/*?" component={CamerasScreen} />
            <Route path="/recordings/*?" component={RecordingsScreen} />
            <Route path="/usage" component={UsageScreen} />
            <Route path="/webhook/*?" component={WebhookScreen} />
            <Route path="/notifications/*?" component={NotifyScreen} />
            <Route path="/keys/*?" component={KeysScreen} />
            <Route path="/privacy/*?" component={PrivacyScreen} />
            <Route path="/admin/*?" component={AdminScreen} />
            <Route path="/enter">
              <Redirect to="/" replace />
            </Route>
            <Route path="/setup">
              <Redirect to="/" replace />
            </Route>
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Suspense>
      </ErrorFence>
    </Shell>
  );
}

function NotFound() {
  const t = useText('shell');
  return <Empty title={t.notFound} action={<LinkButton href="#/">{t.toNow}</LinkButton>} />;
}
