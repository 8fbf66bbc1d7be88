"""Why a pod is where it is: what keeps it out, who holds that, who could take back what it holds."""
