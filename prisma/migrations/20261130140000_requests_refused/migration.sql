-- A request that the model server refuses has a code of its own: it is no unreadable answer.
ALTER TYPE "VlmError" ADD VALUE 'VLM_REQUEST_REFUSED' BEFORE 'VLM_PARSE_FAILURE';
