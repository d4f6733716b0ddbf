import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Link,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Refusal } from './api/console.query';
import { OverviewPage } from './overview/overview.page';
import { BrokenPage } from './shell/broken.page';
import { HomePage } from './shell/home.page';
import { ShellPage } from './shell/shell.page';

const MOST_RETRIES = 2;

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: () => (
    <main className="alone">
      <h1>There is no such page</h1>
      <Link to="/">To the overview</Link>
    </main>
  ),
});
const company = createRoute({ getParentRoute: () => root, path: '/c/$company', component: ShellPage });

// Each page besides the first is fetched when somebody goes there.
const routes = [
  createRoute({ getParentRoute: () => root, path: '/', component: HomePage }),
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    component: lazyRouteComponent(() => import('./sign-in/sign-in.page'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/invite',
    component: lazyRouteComponent(() => import('./sign-in/invitation.page'), 'InvitationPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/account',
    component: lazyRouteComponent(() => import('./account/account.page'), 'AccountPage'),
  }),
  company.addChildren([
    createRoute({ getParentRoute: () => company, path: '/', component: OverviewPage }),
    createRoute({
      getParentRoute: () => company,
      path: '/findings',
      component: lazyRouteComponent(() => import('./findings/findings.page'), 'FindingsPage'),
    }),
    createRoute({
      getParentRoute: () => company,
      path: '/findings/$code',
      component: lazyRouteComponent(() => import('./findings/finding.page'), 'FindingPage'),
    }),
    createRoute({
      getParentRoute: () => company,
      path: '/rates',
      component: lazyRouteComponent(() => import('./rates/rates.page'), 'RatesPage'),
    }),
    createRoute({
      getParentRoute: () => company,
      path: '/drift',
      component: lazyRouteComponent(() => import('./drift/drift.page'), 'DriftPage'),
    }),
    createRoute({
      getParentRoute: () => company,
      path: '/campaigns',
      component: lazyRouteComponent(() => import('./campaigns/campaigns.page'), 'CampaignsPage'),
    }),
    createRoute({
      getParentRoute: () => company,
      path: '/campaigns/$campaign',
      component: lazyRouteComponent(() => import('./campaigns/campaign.page'), 'CampaignPage'),
    }),
    createRoute({
      getParentRoute: () => company,
      path: '/contacts',
      component: lazyRouteComponent(() => import('./contacts/contacts.page'), 'ContactsPage'),
    }),
    createRoute({
      getParentRoute: () => company,
      path: '/decisions',
      component: lazyRouteComponent(() => import('./decisions/decisions.page'), 'DecisionsPage'),
    }),
    createRoute({
      getParentRoute: () => company,
      path: '/calibration',
      component: lazyRouteComponent(() => import('./calibration/calibration.page'), 'CalibrationPage'),
    }),
    createRoute({
      getParentRoute: () => company,
      path: '/audit',
      component: lazyRouteComponent(() => import('./audit/audit.page'), 'AuditPage'),
    }),
    createRoute({
      getParentRoute: () => company,
      path: '/recipients',
      component: lazyRouteComponent(() => import('./recipients/recipients.page'), 'RecipientsPage'),
    }),
    createRoute({
      getParentRoute: () => company,
      path: '/ledger',
      validateSearch: ({ hints }: Record<string, unknown>): { hints?: boolean } =>
        hints === true ? { hints } : {},
      component: lazyRouteComponent(() => import('./ledger/ledger.page'), 'LedgerPage'),
    }),
    createRoute({
      getParentRoute: () => company,
      path: '/usage',
      component: lazyRouteComponent(() => import('./usage/usage.page'), 'UsagePage'),
    }),
    createRoute({
      getParentRoute: () => company,
      path: '/settings',
      component: lazyRouteComponent(() => import('./settings/settings.page'), 'SettingsPage'),
    }),
    createRoute({
      getParentRoute: () => company,
      path: '/data',
      component: lazyRouteComponent(() => import('./data/data.page'), 'DataPage'),
    }),
    createRoute({
      getParentRoute: () => company,
      path: '/data/import',
      component: lazyRouteComponent(() => import('./import/import.page'), 'ImportPage'),
    }),
    createRoute({
      getParentRoute: () => company,
      path: '/access',
      component: lazyRouteComponent(() => import('./access/access.page'), 'AccessPage'),
    }),
    createRoute({
      getParentRoute: () => company,
      path: '/people',
      component: lazyRouteComponent(() => import('./people/people.page'), 'PeoplePage'),
    }),
  ]),
] as const;

const router = createRouter({ routeTree: root.addChildren([...routes]), defaultErrorComponent: BrokenPage });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // What was refused is refused again; what did not answer may.
      retry: (failures, error) =>
        failures < MOST_RETRIES && !(error instanceof Refusal && error.status >= 400 && error.status < 500),
    },
  },
});

const place = document.getElementById('page');
if (place) {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
