import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { nonce } from './api/place';
import { queryClient } from './api/query-client';
import { ErrorToast } from './shell/error-toast';
import { router } from './router';

createRoot(document.getElementById('console')!).render(
  <StrictMode>
    <CSPProvider nonce={nonce}>
      <QueryClientProvider client={queryClient}>
        <ErrorToast />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
