import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Refusal } from './api/console.query';
import { routeTree } from './routes.catalogue';
import { BrokenPage } from './shell/broken.page';

const MAX_RETRIES = 2;

const router = createRouter({ routeTree, defaultErrorComponent: BrokenPage });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

const client = new QueryClient({
  defaultOptions: {
    // Without a network requests fail, and their page says so: one that waited for it would be made after its user left.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 30_000,
      // What was refused is refused again; what did not answer may.
      retry: (failures, error) =>
        failures < MAX_RETRIES && !(error instanceof Refusal && error.status >= 400 && error.status < 500),
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
