set(quick_options --size 100003)
