# Continues RUN_brake from its checkpoint at the first touch. Trick loads it after the initialization, which needs a
# scenario as well.
exec(open("RUN_meet/input.py").read())
trick.load_checkpoint("RUN_brake/chkpnt_touch")
