-- What runs the detector of a node, and why it is no graphics card.
ALTER TABLE "ComputeNode" ADD COLUMN "adapter" TEXT, ADD COLUMN "providerReason" TEXT;
