set(sanitized_options --size 100003)
